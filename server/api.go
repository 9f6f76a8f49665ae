package server

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/bellglass/bellglass/sandbox"
	"github.com/bellglass/bellglass/server/api"
)

// newAPI returns the HTTP API of this server.
func (s *Server) newAPI() *api.API {
	return api.New(api.Config{
		Registry: s.registry,
		Create: func(spec sandbox.Spec) (*sandbox.Sandbox, error) {
			made, err := s.Create(spec)
			if err != nil {
				return nil, err
			}
			return made.Sandbox, nil
		},
		Warm: func(spec sandbox.Spec, n int) ([]*sandbox.Sandbox, error) {
			made, err := s.warm(spec, n)
			all := make([]*sandbox.Sandbox, 0, n)
			for _, each := range made {
				all = append(all, each.Sandbox)
			}
			return all, err
		},
		CreateApp: s.createApp, FollowEvents: s.followEvents(),
		Upload: s.upload, Decode: s.decode, Parse: s.parse, Packages: s.loadPackages, Unpack: s.unpack,
		Keys: func(r *http.Request) *api.Keyring { return &exchangeOf(r).token.made },
	})
}

// upload reads a body into the memory that the API has for bodies. See [api.Config].
func (s *Server) upload(w http.ResponseWriter, r *http.Request, limit int) (text []byte, free func(), err error) {
	body := &body{of: []*allowance{&s.uploads}}
	if err := body.read(w, r, limit); err != nil {
		body.free()
		return nil, nil, err
	}
	return body.bytes, body.free, nil
}

func (s *Server) decode(text []byte, into any) error {
	s.decoding <- struct{}{}
	defer func() { <-s.decoding }()
	return api.Decode(text, into)
}

// followEvents streams the log as the outer frame gets it.
func (s *Server) followEvents() func(http.ResponseWriter, *http.Request, *sandbox.Sandbox) error {
	follow := s.stream(s.getEvents)
	return func(w http.ResponseWriter, r *http.Request, _ *sandbox.Sandbox) error {
		if r.Method == http.MethodHead {
			w.Header().Set("Content-Type", api.MediaEvents)
			w.WriteHeader(http.StatusOK)
			return nil
		}
		return follow(s.echo.NewContext(r, w))
	}
}

// routeOf returns an operation's path in the syntax of a [route].
func routeOf(o *api.Operation) string {
	return api.Root + strings.NewReplacer("{id}", "{sandbox}", "{path}", "*").Replace(o.Path)
}

// apiRoutes returns the routes of the table. Checks that hold for every operation are made in
// one place, for unknown paths too. The order of the checks reveals nothing to a stranger: a
// request without a token learns only that.
func (s *Server) apiRoutes() (rows []route) {
	for _, o := range s.api.Operations() {
		methods := []string{o.Method}
		if o.Method == http.MethodGet {
			methods = reads
		}
		caller := s.requireCaller
		if o.Public {
			caller = s.requireOrigin
		}
		rows = append(rows, route{
			methods: methods, path: routeOf(&o), encoded: true, handle: handled(&o),
			guards: []echo.MiddlewareFunc{caller, s.checked(&o)}, fail: s.handleAPIError,
		})
	}
	return append(rows, route{
		path: api.Prefix + "*", encoded: true, handle: refuseOperation,
		guards: []echo.MiddlewareFunc{s.requireCaller}, fail: s.handleAPIError,
	})
}

// refuseOperation refuses a request that no operation matches.
func refuseOperation(c echo.Context) error {
	r := c.Request()
	if allow := exchangeOf(r).allowed(); allow != "" {
		c.Response().Header().Set("Allow", allow)
		return refuse(http.StatusMethodNotAllowed, "method-not-allowed", "This path does not support %s. Use one of: %s.", r.Method, allow)
	}
	return refuse(http.StatusNotFound, "not-found", "No operation exists at %s. See %s/openapi.json for all operations.", r.URL.EscapedPath(), api.Root)
}

// checked makes a guard of [Server.checkRequest].
func (s *Server) checked(row *api.Operation) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if err := s.checkRequest(c, row); err != nil {
				return err
			}
			return next(c)
		}
	}
}

// checkRequest finds the sandbox of a request, and checks the request against its row.
func (s *Server) checkRequest(c echo.Context, row *api.Operation) error {
	if row.OfSandbox() {
		sandbox := s.Sandbox(param(c, "sandbox"))
		if sandbox == nil {
			return api.UnknownSandbox()
		}
		sandbox.Touch()
		exchangeOf(c.Request()).name(sandbox)
	}
	return row.Check(c.Request())
}

// handled makes a route's handler of an operation's.
func handled(o *api.Operation) echo.HandlerFunc {
	return func(c echo.Context) error {
		var sb *sandbox.Sandbox
		if served := sandboxOf(c.Request()); served != nil {
			sb = served.Sandbox
		}
		return o.Handle(c.Response(), c.Request(), sb)
	}
}
