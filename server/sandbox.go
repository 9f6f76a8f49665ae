package server

import (
	"crypto/rand"

	"golang.org/x/time/rate"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/sandbox"
	"github.com/bellglass/bellglass/server/api"
	"github.com/bellglass/bellglass/vfs"
)

// A Sandbox is a [sandbox.Sandbox] with what only serving needs: the secrets of its worker and
// its outer frame, and their budgets. It is safe for concurrent use.
type Sandbox struct {
	*sandbox.Sandbox
	server *Server
	// secret and key belong to the worker, and token to the outer frame.
	secret, key, token string
	// incarnation distinguishes this sandbox from others that have had its id, here or on
	// earlier servers. It is not secret.
	incarnation string

	streams, bodies             allowance
	verdicts, reports, requests *rate.Limiter
	browserReports              *rate.Limiter // separate, so that code that exhausts the others cannot hide these reports
	unreported                  tally
	app                         *hostedApp // nil unless the sandbox is for an MCP App or for tools
}

// Create makes a sandbox. Unless the spec has an id, the id is unguessable and never used
// again.
//
// Create fails with
//
//   - [ErrFull] when there are too many sandboxes,
//   - a [*vfs.LimitError] when there is no room for the files ([sandbox.Limits.StoreBytes]),
//   - [ErrEnding] after [Server.End],
//   - a [*SpecError] when a field of the spec is invalid.
func (s *Server) Create(spec Spec) (*Sandbox, error) { return s.create(spec, nil) }

// Warm makes n sandboxes without files. All have the same policy, which may be nil. A page can
// show them before they are needed: their views boot, and wait. [sandbox.Sandbox.Fill] gives a
// sandbox its files, and its views show them after one navigation. A warm sandbox contains no
// user's data, and can be filled once. Warm fails as [Server.Create] does, and then makes no
// sandboxes.
func (s *Server) Warm(policy *rules.Policy, n int) ([]*Sandbox, error) {
	return s.warm(Spec{Policy: policy}, n)
}

// warm makes n warm sandboxes of the spec, or none.
func (s *Server) warm(spec Spec, n int) ([]*Sandbox, error) {
	spec.Warm = true
	var all []*Sandbox
	for range n {
		made, err := s.Create(spec)
		if err != nil {
			for _, each := range all {
				s.Remove(each.ID())
			}
			return nil, err
		}
		all = append(all, made)
	}
	return all, nil
}

// create makes a sandbox. app is nil unless it is for an MCP App or for tools.
func (s *Server) create(spec Spec, app *hostedApp) (*Sandbox, error) {
	if app != nil {
		spec.Idle = appIdle
	}
	made, err := s.registry.Create(spec, func(sb *sandbox.Sandbox) sandbox.Attachment {
		limits := &s.config.Limits
		served := &Sandbox{
			Sandbox: sb, server: s, secret: rand.Text(), key: rand.Text(), token: rand.Text(), incarnation: rand.Text(),
			streams: allowance{max: int64(limits.SandboxStreams)}, bodies: allowance{max: limits.BodyBytes / 4},
			verdicts: limits.Verdicts.Limiter(), reports: limits.Reports.Limiter(), requests: limits.Requests.Limiter(),
			browserReports: limits.Reports.Limiter(), app: app,
		}
		served.unreported.tell = func(count int) { sb.RecordDropped(count, protocol.SourceBrowser) }
		attachment := sandbox.Attachment{Value: served}
		if app != nil {
			attachment.Advisor = appAdvisor{served}
		}
		return attachment
	})
	return servedAs(made), err
}

// servedAs returns the server's part of a sandbox of the registry. For nil it returns nil.
func servedAs(sb *sandbox.Sandbox) *Sandbox {
	if sb == nil {
		return nil
	}
	return sb.Attached().(*Sandbox)
}

// Sandbox returns the sandbox with this id, or nil.
func (s *Server) Sandbox(id string) *Sandbox { return servedAs(s.registry.Get(id)) }

// Sandboxes returns all sandboxes, oldest first.
func (s *Server) Sandboxes() []*Sandbox { return s.List(Page{}) }

// List returns a page of the sandboxes, oldest first.
func (s *Server) List(page Page) []*Sandbox {
	var list []*Sandbox
	for _, sb := range s.registry.List(page) {
		list = append(list, servedAs(sb))
	}
	return list
}

// Remove ends a sandbox as [sandbox.Registry.Remove] does. Requests to its host are then
// refused, as if it had never existed.
func (s *Server) Remove(id string) bool { return s.registry.Remove(id) }

// Close removes every sandbox, and logs how many lines were left out.
func (s *Server) Close() { s.registry.Close() }

// Store returns the store in which snapshots for this server's sandboxes must be made. It
// keeps equal contents once.
func (s *Server) Store() *vfs.Store { return s.registry.Store() }

// Info describes the sandbox at its newest revision.
func (sb *Sandbox) Info() Info { return api.InfoOf(sb.Sandbox) }

// addresses returns the URLs of the sandbox with this id.
func (s *Server) addresses(id string) sandbox.Addresses {
	return sandbox.Addresses{
		URL: s.config.inner(id), Page: s.outerOrigin + "/" + id, Host: s.config.origin("localhost") + "/sandboxes/" + id,
	}
}
