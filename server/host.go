package server

import (
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"github.com/bellglass/bellglass/firewall"
	hostpage "github.com/bellglass/bellglass/host-page"
	"github.com/bellglass/bellglass/selftest"
	"github.com/bellglass/bellglass/server/api"
)

// hostTable returns the table of the host origin.
func (s *Server) hostTable() *table {
	rows := []route{
		{methods: gets, path: "/", of: ofFirst, class: firewall.HostPage, handle: s.getHostPage},
		// A path that cannot contain an id gets no page, not even the one that asks for a
		// token.
		{methods: gets, path: "/sandboxes/{id}", of: ofAny, class: firewall.HostPage, handle: s.getHostPage},
	}
	authorized := []echo.MiddlewareFunc{s.requireCaller}
	if s.config.needsToken() {
		rows = append(rows,
			route{methods: gets, path: pageDataPath, of: ofFirst, guards: authorized, handle: s.getPageData},
			route{methods: gets, path: "/sandboxes/{id}" + pageDataPath, of: ofAny, guards: authorized, handle: s.getPageData},
		)
	}
	rows = append(rows, route{methods: gets, path: "/sandboxes/*", handle: func(echo.Context) error { return api.UnknownSandbox() }})
	if s.selfTest != nil {
		own := echo.WrapHandler(s.selfTest)
		rows = append(rows,
			route{methods: gets, path: selftest.Root, class: firewall.SelfTest, handle: own},
			route{methods: gets, path: selftest.RunPath, class: firewall.SelfTest, controls: s.selfTestControls, handle: own},
			route{path: selftest.Root, handle: own},
			route{path: selftest.Root + "/*", handle: own},
		)
	}
	rows = append(rows, s.apiRoutes()...)
	rows = append(rows,
		route{methods: gets, path: healthPath, whileEnding: true, handle: s.getHealth},
		route{methods: gets, path: metricsPath, handle: s.getMetrics},
		notFound,
	)
	return &table{name: "host", rows: rows}
}

// aliasTable returns the table of the host page's IPv6 name, which cannot embed sandboxes.
func (s *Server) aliasTable() *table {
	return &table{name: "alias", rows: []route{
		{methods: reads, path: "/*", encoded: true, handle: s.redirectToHostPage},
		{path: "*", encoded: true, handle: func(echo.Context) error {
			return refuse(http.StatusNotFound, "host-alias", "Open the host page as %s.", s.config.origin(s.config.public.host))
		}},
	}}
}

// redirectToHostPage redirects a visitor of an alias to the same path of the host page. A
// request target in absolute-form with another scheme has an opaque part such as
// "x:@evil.test" in place of a path. Such a target would become part of the host, so the row
// does not match it.
func (s *Server) redirectToHostPage(c echo.Context) error {
	r := c.Request()
	target := url.URL{Path: r.URL.Path, RawPath: r.URL.RawPath, RawQuery: r.URL.RawQuery}
	address := s.config.origin(s.config.public.host) + target.EscapedPath()
	if target.RawQuery != "" {
		address += "?" + target.RawQuery
	}
	http.Redirect(c.Response(), r, address, http.StatusTemporaryRedirect)
	return nil
}

// If the host page needs a token, it is served without data, whatever sandboxes there are. Its
// script asks for the token, and fetches the data with it from pageDataPath below its own
// path. The token is kept in the storage of the page's origin, which no sandbox shares. A
// cookie would be sent with every request, and pages of other names of the domain could set
// one.
const pageDataPath = hostpage.DataPath

func (s *Server) getHostPage(c echo.Context) error {
	data := hostpage.Data{SignIn: true, Version: s.config.Version, Grants: []string{}}
	if !s.config.needsToken() {
		var err error
		if data, err = s.pageData(c); err != nil {
			return err
		}
	}
	c.Response().Header().Set("Content-Type", "text/html; charset=utf-8")
	return s.hostPage.Render(c.Response(), data)
}

func (s *Server) getPageData(c echo.Context) error {
	data, err := s.pageData(c)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, data)
}

// pageData returns what the host page shows about the request's sandbox.
func (s *Server) pageData(c echo.Context) (hostpage.Data, error) {
	sandbox := sandboxOf(c.Request())
	if sandbox == nil && param(c, "id") == "" {
		return hostpage.Data{}, refuse(http.StatusNotFound, "no-sandbox", "This server has no sandbox yet.")
	}
	if sandbox == nil {
		return hostpage.Data{}, api.UnknownSandbox()
	}
	v := versionOf(c.Request())
	return hostpage.Data{
		Name: sandbox.Name(), SandboxURL: sandbox.URL(), OuterURL: sandbox.OuterURL(), Incarnation: sandbox.incarnation, Allow: v.Grants.Allow(),
		Grants: v.Granted(),
		Policy: v.Firewall.Policy().Name, Version: s.config.Version, SelfTest: s.selfTest != nil, Live: s.config.Live,
	}, nil
}
