package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/bellglass/bellglass/mcpapps"
	"github.com/bellglass/bellglass/server/api"
	"github.com/bellglass/bellglass/vfs"
)

// ErrNoMCPApps is returned by a server without [Config.MCPApps].
var ErrNoMCPApps = errors.New("server: MCP Apps are disabled")

// CreateApp makes the sandbox of an app. The sandbox ends when no page has shown it for 5
// minutes. CreateApp fails as [Server.Create] does, and with [ErrNoMCPApps]. It is no error if
// the app does not get everything it asks for: the grant says what it does not get.
func (s *Server) CreateApp(ctx context.Context, spec AppSpec) (*Sandbox, AppGrant, error) {
	if s.config.MCPApps == nil {
		return nil, AppGrant{}, ErrNoMCPApps
	}
	if err := s.checkApp(&spec); err != nil {
		return nil, AppGrant{}, err
	}
	var declared mcpapps.CSP
	if spec.App.CSP != nil {
		declared = *spec.App.CSP
	}
	compiled, err := s.compile(ctx, declared)
	if err != nil {
		return nil, AppGrant{}, err
	}
	files, err := s.store.Snapshot(map[string][]byte{"/index.html": []byte(spec.App.HTML)}, vfs.DefaultLimits())
	if err != nil {
		return nil, AppGrant{}, err
	}
	grant, grants := grantOf(&spec.App, compiled)
	app := &hostedApp{framed: true, handedIn: true, host: spec.Host, advises: mcpapps.NewAdvisor(declared, *s.config.MCPApps)}
	sandbox, err := s.createFor(ctx, Spec{
		Name: "MCP App", Files: files, Policy: compiled.Policy, Baseline: compiled.Baseline(), Permissions: grants.Permissions,
	}, app, spec.Host, spec.Domain)
	if err != nil {
		return nil, AppGrant{}, err
	}
	grant.Told = append(append([]string{}, app.told...), grant.Told...)
	grant.Policy = sandbox.csp()
	grant.log(sandbox)
	return sandbox, grant, nil
}

func (s *Server) checkApp(spec *AppSpec) error {
	if !slices.Contains(s.embedders, spec.Host) {
		return &SpecError{Field: "host", Reason: fmt.Sprintf("the host %.200q is not the origin of an embedder; send the origin of the page that frames the app, as in --embedder", spec.Host)}
	}
	if len(spec.Domain) > longestDomain {
		return &SpecError{Field: "domain", Reason: fmt.Sprintf("the domain has %d bytes; at most %d are allowed", len(spec.Domain), longestDomain)}
	}
	if err := spec.App.Check(); err != nil {
		return &SpecError{Field: "app/html", Reason: err.Error()}
	}
	if len(spec.App.HTML) > appLimit.bytes {
		return &SpecError{Field: "app/html", Reason: fmt.Sprintf("the html has %d bytes; at most %d are allowed", len(spec.App.HTML), appLimit.bytes)}
	}
	return nil
}

// createApp is what the HTTP API does to create an app's sandbox.
func (s *Server) createApp(ctx context.Context, spec AppSpec) (*api.CreatedApp, error) {
	sandbox, grant, err := s.CreateApp(ctx, spec)
	if errors.Is(err, ErrNoMCPApps) {
		return nil, refuse(http.StatusNotFound, "no-mcp-apps", "This server does not run MCP Apps. Start it with --mcp (in Go, Config.MCPApps).")
	}
	if err != nil {
		return nil, err
	}
	return &api.CreatedApp{ID: sandbox.ID(), OuterURL: sandbox.OuterURL(), Allow: grant.Allow, Told: grant.Told, Sandbox: grant.Sandbox}, nil
}
