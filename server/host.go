package server

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	hostpage "github.com/bellglass/bellglass/host-page"
	"github.com/bellglass/bellglass/selftest"
)

// hostRoutes is the whole of the host origin's URL space.
func (s *Server) hostRoutes(e *echo.Echo) {
	e.Use(exceptAPI(oneSpelling))
	e.GET("/", func(c echo.Context) error {
		first := sandboxOf(c.Request())
		if first == nil {
			return refuse(http.StatusNotFound, "no-sandbox", "This server has no sandbox yet.")
		}
		return s.renderHostPage(c, first)
	})
	e.GET("/sandboxes/:id", func(c echo.Context) error {
		sandbox := sandboxOf(c.Request())
		// :id also takes what follows, "{id}/x".
		if sandbox == nil || !isHostPage(c.Request().URL.Path) {
			return refuse(http.StatusNotFound, "unknown-sandbox", "There is no sandbox with this id. It may have been deleted, or the server was started anew; ids are never used again.")
		}
		return s.renderHostPage(c, sandbox)
	})
	if s.selfTest != nil {
		own := echo.WrapHandler(s.selfTest)
		e.Any(selftest.Root, own)
		e.Any(selftest.Root+"/*", own)
	}
	s.apiRoutes(e)
	e.GET(healthPath, s.getHealth)
	e.GET(metricsPath, s.getMetrics)
}

// redirectToHostPage sends a visitor of an alias on to the same path of the host
// page. A request target in absolute-form with another scheme has no path but
// an opaque part, "x:@evil.test", which would become a part of the host.
func (s *Server) redirectToHostPage(w http.ResponseWriter, r *http.Request) {
	target := url.URL{Path: r.URL.Path, RawPath: r.URL.RawPath, RawQuery: r.URL.RawQuery}
	if !strings.HasPrefix(target.Path, "/") || r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		exchangeOf(r).code = "host-alias"
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprintf(w, "Open the host page as %s.\n\nBellglass: host-alias\n", s.config.origin(embeddable[0]))
		return
	}
	address := s.config.origin(embeddable[0]) + target.EscapedPath()
	if target.RawQuery != "" {
		address += "?" + target.RawQuery
	}
	http.Redirect(w, r, address, http.StatusTemporaryRedirect)
}

const sandboxesPath = "/sandboxes/"

func isHostPage(path string) bool {
	id, found := strings.CutPrefix(path, sandboxesPath)
	return path == "/" || found && IsID(id)
}

func (s *Server) renderHostPage(c echo.Context, sandbox *Sandbox) error {
	v, _ := sandbox.now()
	c.Response().Header().Set("Content-Type", "text/html; charset=utf-8")
	return s.hostPage.Render(c.Response(), hostpage.Data{
		Name: sandbox.name, SandboxURL: sandbox.URL(), OuterURL: sandbox.OuterURL(), Incarnation: sandbox.incarnation, Allow: v.grants.Allow(),
		Grants: v.granted(),
		Policy: v.fire.Policy().Name, Version: s.config.Version, SelfTest: s.selfTest != nil,
	})
}
