package server

import (
	"fmt"
	"net/http"
	"runtime"
	"sync"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"github.com/bellglass/bellglass/firewall"
	innerframe "github.com/bellglass/bellglass/inner-frame"
	"github.com/bellglass/bellglass/internal/page"
	"github.com/bellglass/bellglass/sandbox"
	"github.com/bellglass/bellglass/selftest"
	"github.com/bellglass/bellglass/server/api"
	"github.com/bellglass/bellglass/sw"
	"github.com/bellglass/bellglass/vfs"
)

// A Server is an [http.Handler] for the host page, the outer frame, and every sandbox. It is
// safe for concurrent use.
type Server struct {
	config      Config
	embedders   []string
	outerOrigin string
	ownCookies  bool // no page that embeds sandboxes shares their registrable domain
	inline      map[firewall.Class]firewall.Inline
	worker      *sw.Worker
	innerPages  *innerframe.Pages
	outerPage   *page.Page
	noticePage  *page.Page
	hostPage    *page.Page
	library     sw.Bundled
	registry    *sandbox.Registry
	store       *vfs.Store        // the registry's
	selfTest    *selftest.Service // nil if it is not offered

	tables [proxyHost + 1]*table // by kind of host
	echo   *echo.Echo            // provides the handlers' contexts
	safely echo.MiddlewareFunc   // turns a handler's panic into an error

	// Budgets that all sandboxes share.
	streams, bodies allowance
	streamChecks    streamChecks
	headers         allowance     // for headers beyond freeHeader
	uploads         allowance     // for bodies of the HTTP API
	loading         chan struct{} // holds a value for each request that fetches packages
	decoding        chan struct{} // holds a value for each body that is being decoded
	working         chan struct{} // holds a value for each policy that is being parsed and each archive that is being unpacked
	metrics         *metrics

	api      *api.API
	tokens   []*apiToken // the server's own token first
	ownToken string

	mu      sync.Mutex
	awaited []*Sandbox // sandboxes that wait for their MCP App, oldest first
}

// New bundles the scripts for browsers and returns a server without sandboxes.
func New(config Config) (*Server, error) {
	if err := config.setDefaults(); err != nil {
		return nil, err
	}
	embedders, err := config.embedders()
	if err != nil {
		return nil, err
	}
	s := &Server{
		config: config, embedders: embedders, outerOrigin: config.origin(config.OuterHost),
		streams: allowance{max: int64(config.Limits.Streams)}, bodies: allowance{max: config.Limits.BodyBytes},
		uploads:  allowance{max: config.Limits.UploadBytes},
		loading:  make(chan struct{}, loadsAtOnce),
		decoding: make(chan struct{}, 2*runtime.GOMAXPROCS(0)),
		working:  make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2)),
	}
	shared, _ := config.sharer()
	s.ownCookies = shared == ""
	s.headers.max = config.Limits.HeaderBytes
	s.metrics = newMetrics(s)
	if s.registry, err = sandbox.NewRegistry(sandbox.Config{
		Limits: config.Limits.Limits, Log: config.Log, Addresses: s.addresses, Observer: observer{s},
		State: func(sb *sandbox.Sandbox, v version) ([]byte, error) { return servedAs(sb).writeState(v) },
	}); err != nil {
		return nil, err
	}
	s.store = s.registry.Store()
	if err := s.prepareScripts(); err != nil {
		return nil, fmt.Errorf("preparing the browser's parts: %w", err)
	}
	s.inline = map[firewall.Class]firewall.Inline{
		firewall.Inner:    {Script: s.innerPages.ClientHash()},
		firewall.Isolated: {Script: s.innerPages.Isolated.ScriptHash()},
		firewall.Boot:     {Script: s.innerPages.Boot.ScriptHash(), Style: s.innerPages.Boot.StyleHash()},
		firewall.Refusal:  {Style: s.innerPages.Alone.StyleHash()},
		firewall.Outer:    {Script: s.outerPage.ScriptHash(), Style: s.outerPage.StyleHash()},
		firewall.Notice:   {Style: s.noticePage.StyleHash()},
		firewall.HostPage: {Script: s.hostPage.ScriptHash(), Style: s.hostPage.StyleHash()},
	}
	if s.selfTest != nil {
		s.inline[firewall.SelfTest] = firewall.Inline{Script: s.selfTest.Page().ScriptHash(), Style: s.selfTest.Page().StyleHash()}
	}
	s.makeTokens()
	s.api = s.newAPI()
	s.echo, s.safely = echo.New(), s.recovering()
	s.tables = [...]*table{
		unknownHost: s.unknownTable(), pageHost: s.hostTable(), hostAlias: s.aliasTable(),
		outerHost: s.outerTable(), innerHost: s.innerTable(), proxyHost: s.proxyPortTable(),
	}
	return s, nil
}

// recovering returns a middleware that turns a handler's panic into an error.
func (s *Server) recovering() echo.MiddlewareFunc {
	return middleware.RecoverWithConfig(middleware.RecoverConfig{DisablePrintStack: true, DisableErrorHandler: true, LogErrorFunc: func(c echo.Context, err error, stack []byte) error {
		s.config.Log.Error("a handler panicked", "path", c.Request().URL.Path, "error", err, "stack", string(stack))
		return err
	}})
}

// ServeHTTP finds the host's table by the Host header, and the request's row in that table.
// The row determines the policy headers of the response. They are set before anything else
// answers.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x, r := s.exchange(w, r)
	defer x.end()
	if s.config.remote(r) {
		x.code = "remote-address"
		s.setPolicies(x, r, &route{})
		refuseRemote(x)
		return
	}
	where, id := s.config.lookup(r.Host)
	x.where = where
	row := x.match(s.tables[where], r, id)
	s.setPolicies(x, r, row)
	switch {
	case !withoutCookies(r):
		x.code = "header-too-large"
		refuseLong(x)
		return
	case s.registry.IsEnding() && !row.whileEnding:
		x.code = codeEnding
		refuseEnding(x)
		return
	}
	c := s.echo.AcquireContext()
	defer s.echo.ReleaseContext(c)
	c.Reset(r, x)
	switch err := s.safely(row.run)(c); {
	case err == nil:
	case row.fail != nil:
		row.fail(err, c)
	default:
		s.handleError(err, c)
	}
}

// unknownTable returns the table of hosts that are not ours.
func (s *Server) unknownTable() *table {
	return &table{name: "unknown", rows: []route{{path: "*", encoded: true, handle: func(c echo.Context) error {
		return refuse(http.StatusMisdirectedRequest, "unknown-host", "This server does not answer for the host %q. Use one of the addresses it printed when it started.", c.Request().Host)
	}}}}
}
