package server

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/bellglass/bellglass/firewall"
	innerframe "github.com/bellglass/bellglass/inner-frame"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/vfs"
)

// innerTable is that of each inner origin. Each path is guarded on its own: page code that
// has unregistered the worker can ask for any.
func (s *Server) innerTable() *table {
	ofWorker := func(guards ...echo.MiddlewareFunc) []echo.MiddlewareFunc {
		return append([]echo.MiddlewareFunc{requireSecret}, guards...)
	}
	ofKey := []echo.MiddlewareFunc{requireKey, metered}
	cost := []echo.MiddlewareFunc{metered}
	rows := []route{
		{path: "*", from: unsaid, encoded: true, handle: refuseUnsaid},
		{methods: gets, path: protocol.WorkerPath, from: asWorker, class: firewall.WorkerScript, guards: cost, handle: s.getWorkerScript},
	}
	if s.config.Defences.Has(firewall.WorkerGuard) {
		rows = append(rows, route{path: "*", from: asWorker, encoded: true, handle: func(echo.Context) error {
			return refuse(http.StatusForbidden, "foreign-worker", "Only Bellglass's own script can be a service worker of a sandbox.")
		}})
	}
	if s.config.Defences.Has(firewall.Alone) {
		rows = append(rows, route{path: "*", from: inTabs, encoded: true, handle: s.refuseTab})
	}
	rows = append(rows,
		route{methods: gets, path: protocol.WorkerPath, guards: cost, handle: s.getWorkerScript},
		// The boot page is for frames, and for the worker, which answers a navigation with it
		// when it has to be replaced.
		route{methods: gets, path: protocol.BootPath, from: inFrames, class: firewall.Boot, handle: s.getBoot},
		route{methods: gets, path: protocol.BootPath, class: firewall.Boot, guards: ofWorker(), handle: s.getBoot},
		route{methods: gets, path: protocol.ClientPath, from: destinations{destScript}, class: firewall.Inner, handle: s.getClient},
		route{methods: gets, path: protocol.ClientPath, handle: s.getClient},
		route{methods: gets, path: protocol.RunPath, from: inFrames, class: firewall.Boot, handle: s.getBoot},
		route{methods: gets, path: protocol.RunPath, handle: func(echo.Context) error {
			return refuse(http.StatusForbidden, "not-a-frame", "The page that runs executions is loaded only as a frame.")
		}},
		route{methods: gets, path: protocol.IsolatedPath + "{execution}", from: inFrames, when: findIsolated, class: firewall.Isolated, guards: cost, handle: s.getIsolated},
		route{methods: gets, path: protocol.IsolatedPath + "{execution}", guards: cost, handle: refuseIsolated},
		route{methods: posts, path: protocol.ReportPath, handle: s.postBrowserReport},
		route{methods: posts, path: protocol.RealmPath, handle: s.postRealmReports},

		route{methods: gets, path: protocol.StatePath, guards: ofWorker(acknowledge), handle: s.getState},
		route{methods: gets, path: protocol.ChangesPath, guards: ofWorker(metered, s.stream), handle: s.getChanges},
		route{methods: gets, path: protocol.BlobPath + "{hash}", guards: ofKey, handle: s.getBlob},
		route{methods: posts, path: protocol.VerdictsPath, guards: ofWorker(), handle: s.postVerdicts},
		route{methods: gets, path: protocol.ExecutionPath + "{execution}/{file}", guards: ofKey, handle: s.getExecutionFile},
		route{path: protocol.Prefix + "*", handle: refuseOurs},

		// Virtual files, for requests that came past the worker. The worker itself gets a
		// content to hand on. Unless the policy can do without the worker, a frame gets the boot
		// page, which brings the worker back and loads the address again, and anything else gets
		// nothing.
		route{methods: gets, path: "*", encoded: true, when: asksForContent, guards: ofKey, handle: s.getContent},
		route{path: "*", encoded: true, when: servesFile, class: firewall.Inner, withoutWorker: true, handle: s.getStatic},
		route{methods: reads, path: "*", encoded: true, from: inFrames, class: firewall.Boot, handle: s.getBoot},
		route{methods: reads, path: "*", encoded: true, handle: refuseFile},
		route{path: "*", encoded: true, handle: refuseMethod},
	)
	for i := range rows {
		rows[i].of = ofSandbox
	}
	return &table{name: "inner", rejects: rejectInner, rows: rows}
}

// rejectInner refuses a path of ours that is written in another way than the one
// ("/.bellglass%2fsw.js"), which a row for virtual files would answer, and a path with an
// empty segment, as no virtual file's has: it can be read as another host's address. The boot
// page's Connection-Allowlist leaves out those that begin with one. A boot page that stood in
// for it could not load itself again, and what comes of [protocol.UnlistedPath] must be an
// answer, whoever asks.
func rejectInner(u *url.URL) error {
	switch {
	case u.RawPath != "" && strings.HasPrefix(u.Path, protocol.Prefix):
		return refuse(http.StatusNotFound, "not-found", "%s is another spelling of a path below %s, which belongs to Bellglass.", u.EscapedPath(), protocol.Prefix)
	case strings.Contains(u.Path, "//"):
		return refuse(http.StatusBadRequest, "bad-path", "%s has an empty segment, as no path of a sandbox does.", u.EscapedPath())
	}
	return nil
}

func asksForContent(_ *exchange, r *http.Request) bool {
	return r.Header.Get(protocol.ContentHeader) != ""
}

func refuseMethod(c echo.Context) error {
	return refuse(http.StatusMethodNotAllowed, "method-not-allowed", "%s is not a method of this path; virtual files can only be read.", c.Request().Method)
}

// refuseOurs refuses what no row below our prefix is for.
func refuseOurs(c echo.Context) error {
	if !slices.Contains(reads, c.Request().Method) {
		return refuseMethod(c)
	}
	return refuse(http.StatusNotFound, "not-found", "%s is below %s, which belongs to Bellglass, and there is nothing there.", c.Request().URL.Path, protocol.Prefix)
}

// refuseFile refuses a virtual file to a request that came past the worker.
func refuseFile(c echo.Context) error {
	r := c.Request()
	if r.Header.Get("Sec-Fetch-Site") == "cross-site" {
		const advice = "its sandbox attribute lacks allow-same-origin, so it has no origin and no worker that could serve the file"
		sandboxOf(r).Warn("not served", "what", r.Method, "url", r.URL.Path, "reason", "a frame asked for it; "+advice)
		return refuse(http.StatusNotFound, "no-origin", "%s was asked for by another origin. If that is a frame of the sandbox, %s. Add allow-same-origin to the attribute.", r.URL.Path, advice)
	}
	return refuse(http.StatusNotFound, "no-worker", "Virtual files are served by the sandbox's service worker, and this request came past it. A page gets its worker back when it is loaded again.")
}

// refuseTab answers a load in a tab of its own with a page that says so.
func (s *Server) refuseTab(c echo.Context) error {
	exchangeOf(c.Request()).code = "tab"
	c.Response().Header().Set("Content-Type", "text/html; charset=utf-8")
	c.Response().WriteHeader(http.StatusForbidden)
	return s.innerPages.Alone.Render(c.Response(), nil)
}

// getWorkerScript serves the script with the secret. Sec-Fetch-Dest is set by
// the browser alone; Service-Worker: script can be sent by page code too and so
// is only asked for besides. Both authenticate browsers only: any other program can
// send them, which is why the server answers at loopback addresses alone (remote.go).
func (s *Server) getWorkerScript(c echo.Context) error {
	r := c.Request()
	if r.Header.Get("Sec-Fetch-Dest") != destServiceWorker || r.Header.Get("Service-Worker") != "script" {
		return refuse(http.StatusForbidden, "worker-script", "The worker's script is served only to a service worker registration.")
	}
	sandboxOf(r).WorkerSeen()
	script, err := sandboxOf(r).writeScript(versionOf(r))
	if err != nil {
		return err
	}
	// The scope is the whole origin, above the script's own folder.
	c.Response().Header().Set("Service-Worker-Allowed", "/")
	return c.Blob(http.StatusOK, "text/javascript; charset=utf-8", script)
}

// getBoot serves the boot page. Page code can ask for it as often as it likes, so it
// costs as much as a request of the worker.
func (s *Server) getBoot(c echo.Context) error {
	version, sandbox := versionOf(c.Request()), sandboxOf(c.Request())
	if err := charge(c, sandbox.requests, 1); err != nil {
		return err
	}
	entry := sandbox.Entry()
	// An entry that names a file means that file, whatever its name holds. Any other is
	// a URL's path, with a query perhaps.
	if _, is := version.Files.Lookup(entry); is {
		entry = vfs.URLPath(entry)
	}
	c.Response().Header().Set("Content-Type", "text/html; charset=utf-8")
	return s.innerPages.Boot.Render(c.Response(), innerframe.Data{
		Bundle: s.worker.Hash(), Incarnation: sandbox.incarnation, Outer: s.outerOrigin, Entry: entry, Waits: sandbox.app.waits(), NeedsWorker: version.WithoutWorker == nil, Enough: enough(version.Firewall.Policy()),
	})
}

// enough lists the levels that the policy takes. In another browser nothing runs.
func enough(p *rules.Policy) []protocol.Containment {
	switch p.Containment {
	case "", rules.ContainmentCSP:
		return []protocol.Containment{protocol.ContainmentCSP, protocol.ContainmentAllowlist}
	case rules.ContainmentAllowlist:
		return []protocol.Containment{protocol.ContainmentAllowlist}
	default:
		return []protocol.Containment{}
	}
}

func (s *Server) getClient(c echo.Context) error {
	script := s.innerPages.ClientHead(s.outerOrigin, versionOf(c.Request()).Granted()) + s.innerPages.ClientRest()
	return c.Blob(http.StatusOK, "text/javascript; charset=utf-8", []byte(script))
}

// oneRange is the only Range that a content is asked for with; any other is
// ignored, as RFC 9110, section 14.2, allows, and the whole is sent. net/http
// would also answer "bytes=-0", with a part that ends before it begins, and
// many ranges, with more bytes than the content has.
var oneRange = regexp.MustCompile(`^bytes=[0-9]+-[0-9]*$`)
