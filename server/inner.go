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

// innerTable returns the table of each inner origin. Each path has its own guards, because
// page code that has unregistered the worker can request any path.
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
	if s.config.Defenses.Has(firewall.WorkerGuard) {
		rows = append(rows, route{path: "*", from: asWorker, encoded: true, handle: func(echo.Context) error {
			return refuse(http.StatusForbidden, "foreign-worker", "Only Bellglass's own script can be a service worker of a sandbox.")
		}})
	}
	if s.config.Defenses.Has(firewall.Alone) {
		rows = append(rows, route{path: "*", from: inTabs, encoded: true, handle: s.refuseTab})
	}
	rows = append(rows,
		route{methods: gets, path: protocol.WorkerPath, guards: cost, handle: s.getWorkerScript},
		// The boot page is for frames. The worker fetches it too: when the worker must be
		// replaced, it answers a navigation with this page.
		route{methods: gets, path: protocol.BootPath, from: inFrames, class: firewall.Boot, handle: s.getBoot},
		route{methods: gets, path: protocol.BootPath, class: firewall.Boot, guards: ofWorker(), handle: s.getBoot},
		route{methods: gets, path: protocol.RunPath, from: inFrames, class: firewall.Boot, handle: s.getBoot},
		route{methods: gets, path: protocol.RunPath, handle: func(echo.Context) error {
			return refuse(http.StatusForbidden, "not-a-frame", "The page that runs executions loads only in a frame.")
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

		// Virtual files, for requests that did not pass through the worker. The worker itself
		// gets a content to pass on. If the policy requires the worker, a frame gets the boot
		// page, which restores the worker and loads the address again. Other requests get
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

// rejectInner rejects two kinds of paths. The first is another spelling of one of our paths
// ("/.bellglass%2fsw.js"), because a row for virtual files would answer it. The second is a
// path with an empty segment, which no virtual file has.
//
// Such a path can be read as another host's address, and the boot page's Connection-Allowlist
// leaves out paths that begin with an empty segment. A boot page served at such a path could
// not load itself again. A request for [protocol.UnlistedPath] must get an answer, whoever
// sends it.
func rejectInner(u *url.URL) error {
	switch {
	case u.RawPath != "" && strings.HasPrefix(u.Path, protocol.Prefix):
		return refuse(http.StatusNotFound, "not-found", "%s is a misspelled path below %s, which is reserved for Bellglass.", u.EscapedPath(), protocol.Prefix)
	case strings.Contains(u.Path, "//"):
		return refuse(http.StatusBadRequest, "bad-path", "%s contains an empty segment. Replace // with /.", u.EscapedPath())
	}
	return nil
}

func asksForContent(_ *exchange, r *http.Request) bool {
	return r.Header.Get(protocol.ContentHeader) != ""
}

func refuseMethod(c echo.Context) error {
	return refuse(http.StatusMethodNotAllowed, "method-not-allowed", "This path does not support %s. Virtual files are read-only.", c.Request().Method)
}

// refuseOurs refuses a path below our prefix that no row matches.
func refuseOurs(c echo.Context) error {
	if !slices.Contains(reads, c.Request().Method) {
		return refuseMethod(c)
	}
	return refuse(http.StatusNotFound, "not-found", "There is nothing at %s. Paths below %s are reserved for Bellglass.", c.Request().URL.Path, protocol.Prefix)
}

// refuseFile refuses a virtual file to a request that did not pass through the worker.
func refuseFile(c echo.Context) error {
	r := c.Request()
	if r.Header.Get("Sec-Fetch-Site") == "cross-site" {
		const advice = "its sandbox attribute lacks allow-same-origin, so it has no origin and no worker that could serve the file"
		sandboxOf(r).Warn("not served", "what", r.Method, "url", r.URL.Path, "reason", "a frame asked for it; "+advice)
		return refuse(http.StatusNotFound, "no-origin", "Another origin requested %s. If that is a frame of the sandbox, %s. Add allow-same-origin to the attribute.", r.URL.Path, advice)
	}
	return refuse(http.StatusNotFound, "no-worker", "Only the sandbox's service worker serves virtual files, and this request bypassed it. Reload the page to restore its worker.")
}

// refuseTab answers a load in a tab of its own with a page that says why nothing is shown.
func (s *Server) refuseTab(c echo.Context) error {
	exchangeOf(c.Request()).code = "tab"
	c.Response().Header().Set("Content-Type", "text/html; charset=utf-8")
	c.Response().WriteHeader(http.StatusForbidden)
	return s.innerPages.Alone.Render(c.Response(), nil)
}

// getWorkerScript serves the script with the secret. Only the browser sets Sec-Fetch-Dest.
// Page code can send Service-Worker: script, so that header is only an additional check. Both
// headers authenticate browsers only, since any other program can send them. That is why the
// server answers only at loopback addresses by default (remote.go).
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
	// The scope is the whole origin, and not only the script's own folder.
	c.Response().Header().Set("Service-Worker-Allowed", "/")
	return c.Blob(http.StatusOK, "text/javascript; charset=utf-8", script)
}

// getBoot serves the boot page. It costs as much as a request of the worker, because page code
// can request it any number of times.
func (s *Server) getBoot(c echo.Context) error {
	version, sandbox := versionOf(c.Request()), sandboxOf(c.Request())
	if err := charge(c, sandbox.requests, 1); err != nil {
		return err
	}
	entry := sandbox.Entry()
	// If the entry is a file's path, it means that file, whatever characters the path
	// contains. Otherwise it is a URL's path, with or without a query.
	if _, is := version.Files.Lookup(entry); is {
		entry = vfs.URLPath(entry)
	}
	c.Response().Header().Set("Content-Type", "text/html; charset=utf-8")
	return s.innerPages.Boot.Render(c.Response(), innerframe.Data{
		Bundle: s.worker.Hash(), Incarnation: sandbox.incarnation, Outer: s.outerOrigin, Entry: entry, Waits: sandbox.app.waits() || version.Warm, NeedsWorker: version.WithoutWorker == nil, Enough: enough(version.Firewall.Policy()),
	})
}

// enough returns the containment levels that the policy accepts. A browser with another level
// runs nothing.
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

// oneRange is the only form of Range that is honored. Any other is ignored, as RFC 9110,
// section 14.2, allows, and the whole content is sent. Otherwise net/http would answer
// "bytes=-0" with a part that ends before it begins. It would also answer many ranges with
// more bytes than the content has.
var oneRange = regexp.MustCompile(`^bytes=[0-9]+-[0-9]*$`)
