package server

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	hostpage "github.com/bellglass/bellglass/host-page"
)

// hostRoutes is the whole of the host origin's URL space.
func (s *Server) hostRoutes(e *echo.Echo) {
	e.GET("/", func(c echo.Context) error {
		s.mu.RLock()
		first := s.sandboxes[s.first]
		s.mu.RUnlock()
		if first == nil {
			return refuse(http.StatusNotFound, "no-sandbox", "This server has no sandbox yet.")
		}
		return s.renderHostPage(c, first)
	})
	e.GET("/sandboxes/:id", func(c echo.Context) error {
		sandbox := sandboxOf(c.Request())
		if sandbox == nil {
			return refuse(http.StatusNotFound, "unknown-sandbox", "There is no sandbox with this id. It may have been deleted, or the server was started anew; ids are never used again.")
		}
		return s.renderHostPage(c, sandbox)
	})
	e.GET("/healthz", func(c echo.Context) error { return c.String(http.StatusOK, "ok\n") })
}

const sandboxesPath = "/sandboxes/"

func isHostPage(path string) bool {
	id, found := strings.CutPrefix(path, sandboxesPath)
	return path == "/" || found && isID(id)
}

func (s *Server) renderHostPage(c echo.Context, sandbox *Sandbox) error {
	v, _ := sandbox.now()
	c.Response().Header().Set("Content-Type", "text/html; charset=utf-8")
	return s.hostPage.Render(c.Response(), hostpage.Data{
		Name: sandbox.name, SandboxURL: sandbox.URL(), OuterURL: sandbox.OuterURL(),
		Policy: v.fire.Policy().Name, Version: s.config.Version,
	})
}
