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
	e.GET("/", s.getHostPage)
	e.GET("/sandboxes/:id", s.getHostPage)
	if s.config.needsToken() {
		e.GET(pageDataPath, s.getPageData)
		e.GET("/sandboxes/:id"+pageDataPath, s.getPageData)
	}
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
		fmt.Fprintf(w, "Open the host page as %s.\n\nBellglass: host-alias\n", s.config.origin(s.config.public.host))
		return
	}
	address := s.config.origin(s.config.public.host) + target.EscapedPath()
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

// Where the host page needs a token it comes without data, whatever sandboxes there are. Its
// script asks for the token, and with it for the data at pageDataPath after its own path. The
// token is kept in the storage of the page's origin, which no sandbox shares. A cookie would
// come along with every request, and pages of other names of its domain could set one.
const pageDataPath = hostpage.DataPath

func (s *Server) getHostPage(c echo.Context) error {
	data := hostpage.Data{SignIn: true, Version: s.config.Version, Grants: []string{}}
	switch {
	case !isHostPage(c.Request().URL.Path): // :id also takes what follows, "{id}/x"
		return unknownSandbox()
	case !s.config.needsToken():
		var err error
		if data, err = s.pageData(sandboxOf(c.Request()), c.Request().URL.Path); err != nil {
			return err
		}
	}
	c.Response().Header().Set("Content-Type", "text/html; charset=utf-8")
	return s.hostPage.Render(c.Response(), data)
}

func (s *Server) getPageData(c echo.Context) error {
	if err := s.checkCaller(c); err != nil {
		return err
	}
	data, err := s.pageData(sandboxOf(c.Request()), strings.TrimSuffix(c.Request().URL.Path, pageDataPath))
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, data)
}

// pageData is what the host page at a path shows of its sandbox.
func (s *Server) pageData(sandbox *Sandbox, path string) (hostpage.Data, error) {
	if sandbox == nil && strings.Trim(path, "/") == "" {
		return hostpage.Data{}, refuse(http.StatusNotFound, "no-sandbox", "This server has no sandbox yet.")
	}
	if sandbox == nil {
		return hostpage.Data{}, unknownSandbox()
	}
	v, _ := sandbox.now()
	return hostpage.Data{
		Name: sandbox.name, SandboxURL: sandbox.URL(), OuterURL: sandbox.OuterURL(), Incarnation: sandbox.incarnation, Allow: v.grants.Allow(),
		Grants: v.granted(),
		Policy: v.fire.Policy().Name, Version: s.config.Version, SelfTest: s.selfTest != nil,
	}, nil
}
