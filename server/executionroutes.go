package server

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	innerframe "github.com/bellglass/bellglass/inner-frame"
	"github.com/bellglass/bellglass/protocol"
)

// getExecutionFile serves an execution's files to the worker.
func (s *Server) getExecutionFile(c echo.Context) error {
	x := sandboxOf(c.Request()).Execution(param(c, "execution"))
	if x == nil {
		return refuse(http.StatusNotFound, "no-execution", "There is no execution with this ID, or it has ended.")
	}
	if x.Isolation != nil {
		return refuse(http.StatusNotFound, "not-found", "An isolated execution has no files.")
	}
	switch param(c, "file") {
	case protocol.ExecutionWorker:
		if !x.Issue() {
			return refuse(http.StatusForbidden, "execution-issued", "The script of this execution's worker was served before. It is served once.")
		}
		c.Response().Header().Set("Content-Type", "text/javascript; charset=utf-8")
		return s.innerPages.WriteExecution(c.Response(), innerframe.Execution{
			Address: x.Address(), Args: string(x.Args()), ResultLimit: s.config.Limits.ExecutionBytes,
		})
	case protocol.ExecutionCode:
		return c.Blob(http.StatusOK, "text/javascript; charset=utf-8", []byte(x.Code()))
	default:
		return refuse(http.StatusNotFound, "not-found", "An execution has no file of this name.")
	}
}

type executionReports struct{ protocol.ExecutionReports }

func (r *executionReports) events() int { return len(r.Page) + 1 }

// fromPage are the failure codes that an outer frame may report. Only the server sets the
// others.
var fromPage = []protocol.FailureCode{
	protocol.FailureThrew, protocol.FailureUnserializable, protocol.FailureResultTooLarge,
	protocol.FailureTimeout, protocol.FailureViewFailed, protocol.FailureViewClosed, protocol.FailureFlood, protocol.FailureCrashed,
}

// postExecution records what an outer frame reports about an execution. It is the word of
// untrusted code. It can only be about an execution of the sandbox whose token the request
// has.
func (s *Server) postExecution(c echo.Context) error {
	var batch executionReports
	sandbox, result := sandboxOf(c.Request()), int(s.config.Limits.ExecutionBytes)
	// JSON may escape each byte of the result as six.
	limit := bodyLimit{bytes: reportsLimit.bytes + 6*result, values: reportsLimit.values}
	if err := s.readBatch(c, limit, sandbox.reports, &batch); err != nil {
		return err
	}
	x := sandbox.Execution(batch.Execution)
	if x == nil {
		return refuse(http.StatusNotFound, "no-execution", "There is no execution with this ID, or it has ended.")
	}
	if f := batch.Outcome; f != nil && f.Failure != nil && !slices.Contains(fromPage, f.Failure.Code) {
		return refuse(http.StatusBadRequest, "bad-failure", "%.40q is not a failure code of an execution.", f.Failure.Code)
	}
	if batch.View != "" && !IsID(batch.View) {
		return refuseView(batch.View)
	}
	x.Report(batch.View, batch.Page, batch.Dropped)
	if batch.Outcome != nil {
		x.Finish(batch.Outcome)
	}
	return c.NoContent(http.StatusNoContent)
}
