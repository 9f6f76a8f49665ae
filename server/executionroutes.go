package server

import (
	"encoding/json"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	innerframe "github.com/bellglass/bellglass/inner-frame"
	"github.com/bellglass/bellglass/protocol"
)

// getExecutionFile answers the worker what an execution runs.
func (s *Server) getExecutionFile(c echo.Context) error {
	executions := sandboxOf(c.Request()).executions
	x := executions.find(param(c, "execution"))
	if x == nil {
		return refuse(http.StatusNotFound, "no-execution", "There is no such execution, or it is over.")
	}
	if x.isolation != nil {
		return refuse(http.StatusNotFound, "not-found", "An isolated execution has no files.")
	}
	switch param(c, "file") {
	case protocol.ExecutionWorker:
		if !executions.issue(x) {
			return refuse(http.StatusForbidden, "execution-issued", "The worker of this execution has its script, and there is no second worker.")
		}
		c.Response().Header().Set("Content-Type", "text/javascript; charset=utf-8")
		return s.innerPages.WriteExecution(c.Response(), innerframe.Execution{
			ID: x.id, Args: string(x.args), ResultLimit: s.config.Limits.ExecutionBytes,
		})
	case protocol.ExecutionCode:
		return c.Blob(http.StatusOK, "text/javascript; charset=utf-8", []byte(x.code))
	default:
		return refuse(http.StatusNotFound, "not-found", "An execution has no file of this name.")
	}
}

type executionReports struct{ protocol.ExecutionReports }

func (r *executionReports) events() int { return len(r.Page) + 1 }

// fromPage are the reasons that the outer frame may give. The server has its own.
var fromPage = []protocol.FailureCode{
	protocol.FailureThrew, protocol.FailureUnserializable, protocol.FailureResultTooLarge,
	protocol.FailureTimeout, protocol.FailureViewFailed, protocol.FailureViewClosed, protocol.FailureFlood, protocol.FailureCrashed,
}

// postExecution takes what an outer frame tells of an execution, which is the word
// of untrusted code. It is about an execution of the sandbox whose token it came
// with, and of no other.
func (s *Server) postExecution(c echo.Context) error {
	var batch executionReports
	sandbox, result := sandboxOf(c.Request()), int(s.config.Limits.ExecutionBytes)
	// Each byte of the result may be escaped in six.
	limit := bodyLimit{bytes: reportsLimit.bytes + 6*result, values: reportsLimit.values}
	if err := s.readBatch(c, limit, sandbox.reports, &batch); err != nil {
		return err
	}
	x := sandbox.executions.find(batch.Execution)
	if x == nil {
		return refuse(http.StatusNotFound, "no-execution", "There is no such execution, or it is over.")
	}
	if f := batch.Finish; f != nil && f.Failure != nil && !slices.Contains(fromPage, f.Failure.Code) {
		return refuse(http.StatusBadRequest, "bad-failure", "%.40q is no reason for which an execution fails.", f.Failure.Code)
	}
	for _, raw := range batch.Page {
		if err := sandbox.recordReport(raw, x); err != nil {
			batch.Dropped++
		}
	}
	sandbox.recordDropped(batch.Dropped, protocol.SourcePage)
	x.miss(batch.Dropped)
	if batch.Finish != nil {
		x.finish(endingOf(batch.Finish, result))
	}
	return c.NoContent(http.StatusNoContent)
}

func endingOf(f *protocol.Finish, limit int) (end ending) {
	switch {
	case f.Failure != nil:
		return ending{failure: &protocol.Failure{
			Code: f.Failure.Code, Name: clip(f.Failure.Name), Message: clip(f.Failure.Message), Stack: clip(f.Failure.Stack),
		}}
	case len(f.Result) > limit:
		return failed(protocol.FailureResultTooLarge, "The result is larger than %d bytes of JSON.", limit)
	}
	if err := json.Unmarshal([]byte(f.Result), &end.result); err != nil || end.result.Value == nil {
		return failed(protocol.FailureUnserializable, "The page's answer is no result.")
	}
	return end
}
