package server

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/bellglass/bellglass/btcp"
	innerframe "github.com/bellglass/bellglass/inner-frame"
)

const codeCapability = "bad-capability"

// An isolation is what sets an execution apart from its sandbox: a frame without an
// origin, and capabilities in place of the whole policy.
type isolation struct {
	grant    btcp.Grant
	inWorker bool
	// call is the name by which an outer frame knows what the page above it has called,
	// or "". That page alone answers what the code asks.
	call string
}

// isolation returns nil for code that runs at the sandbox's origin.
func (e *Execution) isolation() (*isolation, error) {
	switch e.Context {
	case "", ContextWorker, ContextFrame:
	default:
		return nil, refuse(http.StatusBadRequest, "bad-context", "Unknown context %.40q. Use worker or frame.", e.Context)
	}
	if e.Capabilities == nil && e.Context != ContextFrame {
		return nil, nil
	}
	grant, err := btcp.ParseCapabilities(e.Capabilities)
	if err == nil && e.call == "" {
		err = grant.Alone()
	}
	if err != nil {
		return nil, refuse(http.StatusBadRequest, codeCapability, "The capabilities are rejected: %v.", err)
	}
	return &isolation{grant: grant, inWorker: e.Context != ContextFrame, call: e.call}, nil
}

// findIsolated finds the isolated execution whose document is asked for.
func findIsolated(x *exchange, _ *http.Request) bool {
	execution := x.sandbox.executions.find(x.params["execution"])
	if execution == nil || execution.isolation == nil {
		return false
	}
	x.isolated = execution
	return true
}

func refuseIsolated(echo.Context) error {
	return refuse(http.StatusNotFound, "no-execution", "There is no such isolated execution, it is over, or the request is not for a frame.")
}

// getIsolated serves the document of an isolated execution, once.
func (s *Server) getIsolated(c echo.Context) error {
	x := exchangeOf(c.Request()).isolated
	if !x.of.issue(x) {
		return refuse(http.StatusForbidden, "execution-issued", "The document of this execution was served before. It is served once.")
	}
	c.Response().Header().Set("Content-Type", "text/html; charset=utf-8")
	return s.innerPages.WriteIsolated(c.Response(), innerframe.IsolatedExecution{
		Execution: innerframe.Execution{ID: x.id, Args: string(x.args), ResultLimit: s.config.Limits.ExecutionBytes},
		Code:      x.code, Hidden: x.grant.Hidden(), Methods: x.grant.Methods(), Outer: s.outerOrigin,
	}, x.inWorker)
}
