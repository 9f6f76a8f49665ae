package server

import (
	"bytes"
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/bellglass/bellglass/mcpapps"
	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/vfs"
)

// Parsing a policy and unpacking an archive each take seconds and hundreds of
// megabytes at most. A few run at once, so that neither tokens of the HTTP API nor web
// pages can take this several times over, nor all processors.

// turn waits until the request may do such work; then done must be called. A
// client that goes gives its place up.
func (s *Server) turn(ctx context.Context) (done func(), err error) {
	done = func() { <-s.working }
	select {
	case s.working <- struct{}{}: // a free place is taken whether or not the client is still there
		return done, nil
	default:
	}
	select {
	case s.working <- struct{}{}:
		return done, nil
	case <-ctx.Done():
		return nil, errClientGone
	}
}

// errClientGone answers a client that does not wait for the answer.
var errClientGone = refuse(http.StatusServiceUnavailable, "busy", "The client went away before the server was done. Nothing has changed.")

// parse reads the policy of a request. It stops when the client goes.
func (s *Server) parse(c echo.Context, text []byte) (*rules.Policy, error) {
	done, err := s.turn(c.Request().Context())
	if err != nil {
		return nil, err
	}
	defer done()
	policy, err := rules.ParseContext(c.Request().Context(), policyFile, text)
	if c.Request().Context().Err() != nil {
		return nil, errClientGone
	}
	return policy, err
}

// compile makes the policy of an MCP App. Any web page can ask for that, and the largest
// declaration takes half a second.
func (s *Server) compile(ctx context.Context, declared mcpapps.CSP, bounds ...mcpapps.CSP) (*mcpapps.App, error) {
	done, err := s.turn(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	return mcpapps.Compile(declared, *s.config.MCPApps, bounds...)
}

// unpack makes files of an archive that is the body of a request, and holds them, so that
// they count from their first byte on until they are released.
func (s *Server) unpack(c echo.Context, archive []byte) (*vfs.Snapshot, error) {
	done, err := s.turn(c.Request().Context())
	if err != nil {
		return nil, err
	}
	defer done()
	files, err := s.store.FromArchive(c.Request().Header.Get("Content-Type"), bytes.NewReader(archive), vfs.DefaultLimits())
	if err != nil {
		return nil, err
	}
	if err := s.store.Hold(files); err != nil {
		return nil, err
	}
	return files, nil
}
