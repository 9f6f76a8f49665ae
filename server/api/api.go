package api

import (
	"context"
	"net/http"

	"github.com/bellglass/bellglass/compile"
	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/sandbox"
	"github.com/bellglass/bellglass/vfs"
)

// Limits of a body.
const (
	MaxBody   = 64 << 20  // bytes
	MaxPolicy = 8<<20 + 1 // bytes: 1 more than a policy may have, so that the parser reports the limit: its message is better
)

// Config is what the API needs of the server around it. Every field is required.
type Config struct {
	// Registry has the sandboxes.
	Registry *sandbox.Registry
	// Create makes a sandbox that the server can serve.
	Create func(sandbox.Spec) (*sandbox.Sandbox, error)
	// Warm makes n warm sandboxes of the spec, or none.
	Warm func(spec sandbox.Spec, n int) ([]*sandbox.Sandbox, error)
	// CreateApp makes the sandbox of an MCP App.
	CreateApp func(context.Context, AppSpec) (*CreatedApp, error)
	// FollowEvents streams the log of the request's sandbox.
	FollowEvents func(w http.ResponseWriter, r *http.Request, sb *sandbox.Sandbox) error

	// Upload reads a body of at most limit bytes, into the memory that the server has for
	// bodies. free gives the memory back. The bytes must not be used afterwards.
	Upload func(w http.ResponseWriter, r *http.Request, limit int) (body []byte, free func(), err error)
	// Decode calls [Decode]. A decoded body is larger than the body, so it may wait until
	// others are done.
	Decode func(text []byte, into any) error
	// Parse parses a policy. It may wait, and stops when the context is done.
	Parse func(ctx context.Context, text []byte) (*rules.Policy, error)
	// Packages fetches packages of npm. wanted has their ranges by name. It may take minutes.
	Packages func(ctx context.Context, wanted map[string]string) (compile.Packages, error)
	// Unpack unpacks an archive of a media type into files that the registry's store holds
	// until the caller releases them. It may wait.
	Unpack func(ctx context.Context, media string, archive []byte) (*vfs.Snapshot, error)
	// Keys returns the keys of the request's caller.
	Keys func(*http.Request) *Keyring
}

// An API answers the requests of the HTTP API.
type API struct{ Config }

// New returns an API in a server.
func New(c Config) *API { return &API{c} }

// uploadJSON decodes a JSON body into a value. free does what that of Upload does.
func (a *API) uploadJSON(w http.ResponseWriter, r *http.Request, into any) (body []byte, free func(), err error) {
	body, free, err = a.Upload(w, r, MaxBody)
	if err != nil {
		return nil, nil, err
	}
	if err := a.Decode(body, into); err != nil {
		free()
		return nil, nil, err
	}
	return body, free, nil
}
