package server

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"github.com/bellglass/bellglass/firewall"
	innerframe "github.com/bellglass/bellglass/inner-frame"
	"github.com/bellglass/bellglass/internal/page"
	"github.com/bellglass/bellglass/selftest"
	"github.com/bellglass/bellglass/sw"
	"github.com/bellglass/bellglass/vfs"
)

// A Server is an [http.Handler] for the host page, the outer frame and every
// sandbox. It is safe for concurrent use.
type Server struct {
	config      Config
	embedders   []string
	outerOrigin string
	ownCookies  bool // no page that embeds sandboxes has their registrable domain
	inline      map[firewall.Class]firewall.Inline
	worker      *sw.Worker
	innerPages  *innerframe.Pages
	outerPage   *page.Page
	noticePage  *page.Page
	hostPage    *page.Page
	library     sw.Bundled
	store       *vfs.Store
	selfTest    *selftest.Service // nil if it is not offered

	host, outer, inner, proxyPort *echo.Echo

	// What all sandboxes share of the limits.
	streams, bodies allowance
	streamChecks    streamChecks
	headers         allowance     // beyond what each may have
	uploads         allowance     // of the HTTP API
	decoding        chan struct{} // one for each body that is being decoded
	working         chan struct{} // one for each policy that is being parsed and archive that is being unpacked
	logs            eventLogs
	lines           *muffler
	metrics         *metrics

	tokens   []*apiToken // the server's own first
	ownToken string

	mu        sync.RWMutex
	sandboxes map[string]*Sandbox
	coming    int        // sandboxes for which there is room, but which are not made yet
	made      int64      // how many have been made
	awaited   []*Sandbox // wait for their MCP App, the oldest first
	first     string     // id of the sandbox that the host page shows at "/"

	isEnding atomic.Bool     // from End on; then
	ending   context.Context // is done soon
	end      context.CancelFunc
}

// New prepares the browser's parts and returns a server without any sandbox.
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
		store: vfs.NewStore(config.Limits.StoreBytes), sandboxes: map[string]*Sandbox{},
		streams: allowance{max: int64(config.Limits.Streams)}, bodies: allowance{max: config.Limits.BodyBytes},
		uploads:  allowance{max: config.Limits.UploadBytes},
		decoding: make(chan struct{}, 2*runtime.GOMAXPROCS(0)),
		working:  make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2)),
		logs:     eventLogs{max: config.Limits.LogBytes},
		lines:    newMuffler(config.Log, lifecycleLines),
	}
	shared, _ := config.sharer()
	s.ownCookies = shared == ""
	s.headers.max = config.Limits.HeaderBytes
	s.ending, s.end = context.WithCancel(context.Background())
	s.metrics = newMetrics(s)
	s.logs.appended = s.metrics.event
	s.logs.list = func() []*eventLog {
		var logs []*eventLog
		for _, sandbox := range s.all() {
			logs = append(logs, sandbox.log)
		}
		return logs
	}
	if err := s.prepareScripts(); err != nil {
		return nil, fmt.Errorf("preparing the browser's parts: %w", err)
	}
	s.inline = map[firewall.Class]firewall.Inline{
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
	s.host, s.outer, s.inner, s.proxyPort = s.newEcho(), s.newEcho(), s.newEcho(), s.newEcho()
	s.hostRoutes(s.host)
	s.outerRoutes(s.outer)
	s.innerRoutes(s.inner)
	s.proxyPortRoutes(s.proxyPort)
	return s, nil
}

func (s *Server) newEcho() *echo.Echo {
	e := echo.New()
	e.HTTPErrorHandler = s.handleError
	e.Use(middleware.RecoverWithConfig(middleware.RecoverConfig{DisablePrintStack: true, LogErrorFunc: func(c echo.Context, err error, stack []byte) error {
		s.config.Log.Error("a handler panicked", "path", c.Request().URL.Path, "error", err, "stack", string(stack))
		return err
	}}))
	return e
}

// ServeHTTP dispatches by Host.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x, r := s.exchange(w, r)
	defer x.end()
	w = x
	if s.config.remote(r) {
		x.code = "remote-address"
		s.setPolicies(w, r, unknownHost)
		refuseRemote(w)
		return
	}
	where, id := s.config.lookup(r.Host)
	if where == outerPlace || where == hostPlace && !isAPI(r.URL.Path) { // the API looks once it knows who asks
		id = firstSegmentID(r.URL.Path)
	}
	sandbox := s.Sandbox(id)
	if sandbox != nil {
		sandbox.life.touch()
	}
	if where == hostPlace && (r.URL.Path == "/" || r.URL.Path == pageDataPath) {
		sandbox = s.Sandbox(s.firstID()) // shown, and not asked for by its name
	}
	x.where = where
	r = withSandbox(r, sandbox)
	s.setPolicies(w, r, where)
	if !withoutCookies(r) {
		x.code = "header-too-large"
		refuseLong(w)
		return
	}
	if s.isEnding.Load() && !(where == hostPlace && r.URL.Path == healthPath) {
		x.code = codeEnding
		refuseEnding(w)
		return
	}
	switch where {
	case hostPlace:
		s.host.ServeHTTP(w, r)
	case hostAlias:
		s.redirectToHostPage(w, r)
	case outerPlace:
		s.outer.ServeHTTP(w, r)
	case innerPlace:
		s.inner.ServeHTTP(w, r)
	case proxyPlace:
		s.proxyPort.ServeHTTP(w, r)
	default:
		x.code = "unknown-host"
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.WriteHeader(http.StatusMisdirectedRequest)
		fmt.Fprintf(w, "This server does not answer for the host %q. Use one of the addresses it printed when it started.\n\nBellglass: unknown-host\n", r.Host)
	}
}

// firstSegmentID finds a sandbox's id as a segment of a path of the outer or
// the host page: "/{id}", "/{id}/events", "/sandboxes/{id}".
func firstSegmentID(path string) string {
	for segment := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		if IsID(segment) {
			return segment
		}
	}
	return ""
}
