package server

import (
	"crypto/subtle"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"github.com/bellglass/bellglass/firewall"
	outerframe "github.com/bellglass/bellglass/outer-frame"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/server/api"
)

// reportsLimit limits one batch of reports from an outer frame.
var reportsLimit = bodyLimit{bytes: 4 << 20, values: 16_000}

// outerTable returns the table of the outer origin.
func (s *Server) outerTable() *table {
	framed := s.framed()
	fromOuter := []echo.MiddlewareFunc{requireToken}
	rows := append(s.libraryRoutes(),
		// Together with [protocol.UnlistedPath], which is refused, this path shows what a
		// browser enforces.
		route{methods: gets, path: protocol.ListedPath, handle: func(c echo.Context) error { return c.String(http.StatusOK, protocol.ListedAnswer) }},
		route{methods: gets, path: protocol.StreamCheckPath, handle: s.getStreamCheck},
		route{methods: posts, path: protocol.StreamCheckPath, handle: s.postStreamCheck},
	)
	rows = append(rows, s.proxyRoutes()...)
	rows = append(rows, s.toolRoutes()...)
	rows = append(rows,
		route{methods: gets, path: "/{id}", from: framed, of: ofSandbox, class: firewall.Outer, handle: s.getOuter},
		route{methods: gets, path: "/{id}", from: inTabs, of: ofSandbox, handle: s.refuseTab},
		route{methods: gets, path: "/{id}", from: destinations{"empty"}, when: fromSameOrigin, of: ofSandbox, handle: s.getIncarnation},
		route{methods: gets, path: "/{id}", from: unsaid, of: ofSandbox, handle: refuseUnsaid},
		route{methods: gets, path: "/{id}", of: ofSandbox, handle: func(echo.Context) error {
			return refuse(http.StatusForbidden, "not-a-frame", "The outer frame loads only in a frame.")
		}},
		route{methods: gets, path: "/{id}/events", of: ofSandbox, guards: []echo.MiddlewareFunc{requireToken, metered, s.stream}, handle: s.getEvents},
		route{methods: posts, path: "/{id}/reports", of: ofSandbox, guards: fromOuter, handle: s.postReports},
		route{methods: posts, path: "/{id}/executions", of: ofSandbox, guards: fromOuter, handle: s.postExecution},
		route{path: "/{id}", of: ofSandbox, handle: refuseUnmatched},
		route{path: "/{id}/*", of: ofSandbox, handle: refuseUnmatched},
		route{path: "*", encoded: true, handle: refuseOuter},
	)
	return &table{name: "outer", rows: rows}
}

// refuseOuter refuses a request that no row matches. A path with one segment could be the
// address of a sandbox, so it gets the answer for an unknown one.
func refuseOuter(c echo.Context) error {
	if r := c.Request(); exchangeOf(r).allowed() == "" && r.URL.RawPath == "" {
		return api.UnknownSandbox()
	}
	return refuseUnmatched(c)
}

// framed returns the destinations of the outer frame: frames only. In a tab of its own, the
// outer frame has no page around it. Code in it would then get the first-party cookies of all
// sandboxes, and no third-party policy of the browser would separate them.
func (s *Server) framed() destinations {
	if !s.config.Defenses.Has(firewall.Alone) {
		return slices.Concat(inFrames, inTabs)
	}
	return inFrames
}

func fromSameOrigin(_ *exchange, r *http.Request) bool {
	return r.Header.Get("Sec-Fetch-Site") == "same-origin"
}

// refuseUnsaid refuses a request without Sec-Fetch-Dest. Without this header, a request for a
// worker's script looks like any other.
func refuseUnsaid(echo.Context) error {
	return refuse(http.StatusForbidden, "no-fetch-metadata", "The request has no Sec-Fetch-Dest header. A sandbox runs only in browsers that send Fetch Metadata.")
}

// getIncarnation answers an outer frame that asks whether its sandbox still exists.
func (s *Server) getIncarnation(c echo.Context) error {
	c.Response().Header().Set(protocol.IncarnationHeader, sandboxOf(c.Request()).incarnation)
	return c.NoContent(http.StatusNoContent)
}

func (s *Server) getOuter(c echo.Context) error {
	sandbox := sandboxOf(c.Request())
	v := versionOf(c.Request())
	flags, policy := v.Grants.Sandbox(), v.Firewall.Policy()
	data := outerframe.Data{
		Inner: sandbox.URL(), Incarnation: sandbox.incarnation, View: NewID(), Revision: v.Revision, Embedders: sandbox.embedders(), Sandbox: &flags, Allow: v.Grants.Allow(),
		Enough: enough(policy), Audit: policy.Mode == rules.ModeAudit,
		Events:     "/" + sandbox.ID() + "/events?token=" + sandbox.token,
		Reports:    "/" + sandbox.ID() + "/reports?token=" + sandbox.token,
		Executions: "/" + sandbox.ID() + "/executions?token=" + sandbox.token,
		Warm:       v.Warm, ResultLimit: s.config.Limits.ExecutionBytes,
	}
	switch {
	case sandbox.app == nil:
	case sandbox.app.tools:
		data.Tools = "/" + sandbox.ID() + "/tools?token=" + sandbox.token
	case sandbox.app.framed:
		data.Host, data.Policy = sandbox.app.host, sandbox.csp()
	default:
		data.App = "/" + sandbox.ID() + "/app?token=" + sandbox.token
		data.Allow = "" // the grants are known only when the host sends the app
	}
	if !s.config.Defenses.Has(firewall.Sandbox) {
		data.Sandbox = nil
	}
	c.Response().Header().Set("Content-Type", "text/html; charset=utf-8")
	return s.outerPage.Render(c.Response(), data)
}

// requireToken accepts only requests of the sandbox's own outer frame. The token is in the
// URL, because an EventSource cannot send a header. Only the outer frame can read that URL.
// Sec-Fetch-Site keeps out pages in a browser, but proves nothing about a program.
func requireToken(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		token := sandboxOf(c.Request()).token
		if subtle.ConstantTimeCompare([]byte(c.QueryParam("token")), []byte(token)) != 1 {
			return refuse(http.StatusForbidden, "outer-only", "This path is only for the sandbox's own outer frame.")
		}
		if c.Request().Header.Get("Sec-Fetch-Site") != "same-origin" {
			return refuse(http.StatusForbidden, "cross-origin", "This path is only for pages of the outer frame's origin.")
		}
		return next(c)
	}
}

type reports struct{ protocol.OuterReports }

func (r *reports) events() int { return len(r.Page) + len(r.Outer) }

// postReports records the reports of an outer frame. The page's part is the word of untrusted
// code: it is bounded and marked, and nothing relies on it.
func (s *Server) postReports(c echo.Context) error {
	var batch reports
	sandbox := sandboxOf(c.Request())
	if err := s.readBatch(c, reportsLimit, sandbox.reports, &batch); err != nil {
		return err
	}
	if batch.View != "" && !IsID(batch.View) {
		return refuseView(batch.View)
	}
	for _, violation := range batch.Outer {
		sandbox.RecordLeaving(batch.View, violation)
	}
	sandbox.RecordReports(batch.View, batch.Page, batch.Dropped)
	return c.NoContent(http.StatusNoContent)
}

// refuseView refuses a report whose view was not made by getOuter.
func refuseView(view string) error {
	return refuse(http.StatusBadRequest, "bad-view", "%.40q is not a view ID. Reload the page that shows the sandbox.", view)
}
