package server

import (
	"errors"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/mcpapps"
	outerframe "github.com/bellglass/bellglass/outer-frame"
	"github.com/bellglass/bellglass/vfs"
)

// This file serves the sandbox proxy of MCP Apps (specification 2026-01-26, "Sandbox proxy").
// A host requests the proxy with the domains that an app has declared. It gets the outer frame
// of a new sandbox, which boots at once. Later the host hands in the app itself (app.go).

// proxyPaths are the paths that hosts request: those of the specification's examples and of
// MCPJam.
var proxyPaths = []string{"/", "/sandbox.html", "/api/apps/mcp-apps/sandbox-proxy", "/api/web/apps/mcp-apps/sandbox-proxy"}

// ProxyURL returns the address of the sandbox proxy for MCP Apps, or "" without
// [Config.MCPApps].
func (s *Server) ProxyURL() string {
	if s.config.MCPApps == nil {
		return ""
	}
	return s.outerOrigin + "/sandbox.html"
}

func (s *Server) proxyRoutes() (rows []route) {
	if s.config.MCPApps == nil {
		return nil
	}
	for _, path := range proxyPaths {
		rows = append(rows, s.framedPage(path, firewall.Notice, s.leadToNew(s.makeForApp))...)
	}
	return append(rows, route{methods: posts, path: "/{id}/app", of: ofSandbox, guards: []echo.MiddlewareFunc{requireToken}, handle: s.postApp})
}

// framedPage returns the rows of a path that a host's page frames.
func (s *Server) framedPage(path string, class firewall.Class, handle echo.HandlerFunc) []route {
	return []route{
		{methods: gets, path: path, from: s.framed(), class: class, handle: handle},
		{methods: gets, path: path, from: inTabs, handle: s.refuseTab},
		{methods: gets, path: path, handle: func(echo.Context) error {
			return refuse(http.StatusForbidden, "not-a-frame", "This page is loaded only as a frame of a host page.")
		}},
	}
}

// A hostedApp is what a sandbox for an MCP App knows about its host.
type hostedApp struct {
	// tools says that the sandbox is for the tools of a BTCP client, and not for an app.
	tools bool
	// declared is the declaration in the proxy's address, or nil if there is none.
	declared *mcpapps.CSP
	// framed says that the app was handed in beforehand, and that its host frames it.
	framed bool
	// host is the only origin whose pages may hand in the app. "" accepts every embedder.
	host string
	// told are messages for the host when it hands in the app.
	told     []string
	presence presence
	// continued is sw.State.Continues.
	continued atomic.Int64
	mu        sync.Mutex
	handedIn  bool
	advises   *mcpapps.Advisor // nil until the app is handed in
}

// appIdle is how long nobody must have viewed an app's sandbox before it ends. It is short,
// because each view of an app gets a new sandbox, even if the app's origin lasts.
const appIdle = 5 * time.Minute

// leadToNew redirects the frame to the outer frame of a new sandbox. If none can be made, the
// frame shows why, because a page cannot read the status of a document that it frames.
func (s *Server) leadToNew(create func(echo.Context) (*Sandbox, error)) echo.HandlerFunc {
	return func(c echo.Context) error {
		sandbox, err := create(c)
		if err == nil {
			return c.Redirect(http.StatusSeeOther, "/"+sandbox.ID())
		}
		answer := s.answerTo(err, c)
		c.Response().Header().Set("Content-Type", "text/html; charset=utf-8")
		c.Response().WriteHeader(answer.Status)
		return s.noticePage.Render(c.Response(), outerframe.Notice{Text: answer.Text, Code: answer.Code})
	}
}

// refuseSharedOrigin refuses a host page that has the outer frame's origin.
func refuseSharedOrigin(c echo.Context) error {
	if c.Request().Header.Get("Sec-Fetch-Site") != "same-origin" {
		return nil
	}
	return refuse(http.StatusForbidden, "shared-origin", "The page around this frame has the origin of the sandbox proxy. A host has to have another one. Serve the host page elsewhere, and name its origin with --embedder.")
}

// makeForApp makes a sandbox with the policy that the address declares.
func (s *Server) makeForApp(c echo.Context) (*Sandbox, error) {
	if err := refuseSharedOrigin(c); err != nil {
		return nil, err
	}
	app := &hostedApp{}
	domain, err := domainOf(c.QueryParams())
	if err != nil {
		return nil, err
	}
	var declared mcpapps.CSP
	if texts := c.QueryParams()["csp"]; len(texts) > 1 {
		return nil, refuse(http.StatusBadRequest, "bad-csp", "The address has %d parameters csp; send one.", len(texts))
	} else if len(texts) == 1 {
		if declared, err = mcpapps.ParseCSP([]byte(texts[0])); err != nil {
			return nil, refuse(http.StatusBadRequest, "bad-csp", "The app's declaration is rejected: %v. Send the object of _meta.ui.csp as JSON.", err)
		}
		app.declared = &declared
	}
	compiled, err := s.compile(c.Request().Context(), declared)
	if err != nil {
		return nil, err
	}
	none, err := s.store.Snapshot(nil, vfs.DefaultLimits())
	if err != nil {
		return nil, err
	}
	sandbox, err := s.createFor(c.Request().Context(), Spec{
		Name: "MCP App", Files: none, Policy: compiled.Policy, Baseline: compiled.Baseline(), Permissions: mcpapps.Permissions(),
	}, app, s.asking(c.Request()), domain)
	if errors.Is(err, ErrFull) {
		return nil, refuse(http.StatusServiceUnavailable, "full", "%v.", err)
	}
	if err != nil {
		return nil, err
	}
	s.awaitApp(sandbox)
	return sandbox, nil
}

// mostAwaited bounds the sandboxes that wait for their app. Any web page can request the
// proxy, because a browser checks only afterwards whether it may show the response. At the
// limit, the sandbox that has waited longest ends.
const mostAwaited = 256

// awaitApp adds a sandbox to those that wait.
func (s *Server) awaitApp(sandbox *Sandbox) {
	s.mu.Lock()
	s.awaited = append(s.awaited, sandbox)
	var over *Sandbox
	if len(s.awaited) > mostAwaited {
		over = s.awaited[0]
		s.awaited = slices.Delete(s.awaited, 0, 1)
	}
	s.mu.Unlock()
	if over != nil {
		s.registry.Expel(over.ID(), endedRoom, "its MCP host handed in no app, and others were waiting")
	}
}

// arrived removes a sandbox from those that wait.
func (s *Server) arrived(sandbox *Sandbox) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.awaited = slices.DeleteFunc(s.awaited, func(one *Sandbox) bool { return one == sandbox })
}
