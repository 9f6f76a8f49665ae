package server

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/bellglass/bellglass/btcp"
	innerframe "github.com/bellglass/bellglass/inner-frame"
	"github.com/bellglass/bellglass/protocol"
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

// isolatedOf returns the isolated execution whose document is asked for, or nil. Page
// code can ask for any path, so only a frame gets an answer.
func isolatedOf(r *http.Request, where place, sandbox *Sandbox) *execution {
	id, found := strings.CutPrefix(r.URL.Path, protocol.IsolatedPath)
	if !found || where != innerPlace || sandbox == nil || respelt(r.URL, where) || !isFrame(r.Header.Get("Sec-Fetch-Dest")) {
		return nil
	}
	x := sandbox.executions.find(id)
	if x == nil || x.isolation == nil {
		return nil
	}
	return x
}

// getIsolated serves the document of an isolated execution, once.
func (s *Server) getIsolated(c echo.Context) error {
	r := c.Request()
	x := isolatedOf(r, innerPlace, sandboxOf(r))
	if x == nil {
		return refuse(http.StatusNotFound, "no-execution", "There is no such isolated execution, it is over, or the request is not for a frame.")
	}
	if !x.of.issue(x) {
		return refuse(http.StatusForbidden, "execution-issued", "The document of this execution was served before. It is served once.")
	}
	c.Response().Header().Set("Content-Type", "text/html; charset=utf-8")
	return s.innerPages.WriteIsolated(c.Response(), innerframe.IsolatedExecution{
		Execution: innerframe.Execution{ID: x.id, Args: string(x.args), ResultLimit: s.config.Limits.ExecutionBytes},
		Code:      x.code, Hidden: x.grant.Hidden(), Methods: x.grant.Methods(), Outer: s.outerOrigin,
	}, x.inWorker)
}
