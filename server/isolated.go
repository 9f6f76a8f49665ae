package server

import (
	"net/http"

	"github.com/labstack/echo/v4"

	innerframe "github.com/bellglass/bellglass/inner-frame"
)

// findIsolated finds the isolated execution whose document is requested.
func findIsolated(x *exchange, _ *http.Request) bool {
	execution := x.sandbox.Execution(x.params["execution"])
	if execution == nil || execution.Isolation == nil {
		return false
	}
	x.isolated = execution
	return true
}

func refuseIsolated(echo.Context) error {
	return refuse(http.StatusNotFound, "no-execution", "There is no isolated execution with this ID, it has ended, or the request is not for a frame.")
}

// getIsolated serves the document of an isolated execution, once.
func (s *Server) getIsolated(c echo.Context) error {
	x := exchangeOf(c.Request()).isolated
	if !x.Issue() {
		return refuse(http.StatusForbidden, "execution-issued", "The document of this execution was served before. It is served once.")
	}
	c.Response().Header().Set("Content-Type", "text/html; charset=utf-8")
	return s.innerPages.WriteIsolated(c.Response(), innerframe.IsolatedExecution{
		Execution: innerframe.Execution{Address: x.Address(), Args: string(x.Args()), ResultLimit: s.config.Limits.ExecutionBytes},
		Code:      x.Code(), Hidden: x.Grant.Hidden(), Methods: x.Grant.Methods(), Outer: s.outerOrigin,
	}, x.InWorker)
}
