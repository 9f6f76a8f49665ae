package server

import (
	"bytes"
	"context"
	"net/http"

	"github.com/bellglass/bellglass/mcpapps"
	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/vfs"
)

// Parsing a policy or unpacking an archive can take seconds and hundreds of megabytes. Only a
// few run at once, so that neither API tokens nor web pages can use several times as much
// memory, or all processors.

// turn waits until the request may do such work. Then the caller must call done. A client that
// disconnects gives up its place.
func (s *Server) turn(ctx context.Context) (done func(), err error) {
	done = func() { <-s.working }
	select {
	case s.working <- struct{}{}: // takes a free place even if the client is gone
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

// errClientGone is the answer to a client that no longer waits for one.
var errClientGone = refuse(http.StatusServiceUnavailable, "busy", "The client disconnected before the request was complete. Nothing was changed.")

// policyFile is the file name that positions and verdicts give to a policy from the API.
const policyFile = "policy.yaml"

// parse parses the policy of a request. It stops when the client disconnects.
func (s *Server) parse(ctx context.Context, text []byte) (*rules.Policy, error) {
	done, err := s.turn(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	policy, err := rules.ParseContext(ctx, policyFile, text)
	if ctx.Err() != nil {
		return nil, errClientGone
	}
	return policy, err
}

// compile compiles the policy of an MCP App. It waits for its turn, because any web page can
// request it, and the largest declaration takes 0.5 s.
func (s *Server) compile(ctx context.Context, declared mcpapps.CSP, bounds ...mcpapps.CSP) (*mcpapps.App, error) {
	done, err := s.turn(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	return mcpapps.Compile(declared, *s.config.MCPApps, bounds...)
}

// unpack unpacks the archive in a request's body. It holds the files in the store, so that
// they count until the caller releases them.
func (s *Server) unpack(ctx context.Context, media string, archive []byte) (*vfs.Snapshot, error) {
	done, err := s.turn(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	files, err := s.store.FromArchive(media, bytes.NewReader(archive), vfs.DefaultLimits())
	if err != nil {
		return nil, err
	}
	if err := s.store.Hold(files); err != nil {
		return nil, err
	}
	return files, nil
}
