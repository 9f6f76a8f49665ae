package server

import (
	"net/http"
	"regexp"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/bellglass/bellglass/firewall"
	innerframe "github.com/bellglass/bellglass/inner-frame"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/vfs"
)

// innerRoutes is the whole of an inner origin's URL space. Each path is guarded
// on its own: page code that has unregistered the worker can ask for any.
func (s *Server) innerRoutes(e *echo.Echo) {
	e.Use(s.guardInner)
	e.GET(protocol.WorkerPath, s.getWorkerScript, metered)
	e.GET(protocol.BootPath, s.getBootPath)
	e.GET(protocol.ClientPath, s.getClient)
	e.GET(protocol.RunPath, s.getRunPath)
	e.GET(protocol.IsolatedPath+":id", s.getIsolated, metered)
	e.POST(protocol.ReportPath, s.postBrowserReport)
	e.POST(protocol.RealmPath, s.postRealmReports)

	e.GET(protocol.StatePath, s.getState, requireSecret, acknowledge)
	e.GET(protocol.ChangesPath, s.getChanges, requireSecret, metered, s.stream)
	e.GET(protocol.BlobPath+":hash", s.getBlob, requireKey, metered)
	e.POST(protocol.VerdictsPath, s.postVerdicts, requireSecret)
	e.GET(protocol.ExecutionPath+":id/:file", s.getExecutionFile, requireKey, metered)

	// For every method, known or not.
	e.RouteNotFound("/*", s.anyDocument)
}

// guardInner refuses what no route may answer: an unknown sandbox, a browser
// that does not say what a request is for, a worker script other than ours, and
// a load in a tab of its own.
func (s *Server) guardInner(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		destination := r.Header.Get("Sec-Fetch-Dest")
		switch {
		case respelt(r.URL, innerPlace):
			return refuse(http.StatusNotFound, "not-found", "%s is another spelling of a path below %s, which belongs to Bellglass.", r.URL.EscapedPath(), protocol.Prefix)
		case unlisted(r.URL, innerPlace):
			return refuse(http.StatusBadRequest, "bad-path", "%s has an empty segment, as no path of a sandbox does.", r.URL.EscapedPath())
		case sandboxOf(r) == nil:
			return refuse(http.StatusNotFound, "unknown-sandbox", "There is no sandbox with this id. It may have been deleted, or the server was started anew; ids are never used again.")
		case destination == "":
			// Without it a request for a worker's script looks like any other.
			return refuse(http.StatusForbidden, "no-fetch-metadata", "The request has no Sec-Fetch-Dest header. A sandbox runs only in browsers that send Fetch Metadata.")
		case destination == destServiceWorker && r.URL.Path != protocol.WorkerPath && s.config.Defences.Has(firewall.WorkerGuard):
			return refuse(http.StatusForbidden, "foreign-worker", "Only Bellglass's own script can be a service worker of a sandbox.")
		case destination == destDocument && s.config.Defences.Has(firewall.Alone):
			return s.refuseTab(c)
		}
		return next(c)
	}
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
	sandboxOf(r).withoutWorker.Store(false)
	script, err := sandboxOf(r).writeScript(versionOf(r))
	if err != nil {
		return err
	}
	// The scope is the whole origin, above the script's own folder.
	c.Response().Header().Set("Service-Worker-Allowed", "/")
	return c.Blob(http.StatusOK, "text/javascript; charset=utf-8", script)
}

// getBootPath serves the boot page to a frame, and to the worker, which answers
// a navigation with it when it has to be replaced.
func (s *Server) getBootPath(c echo.Context) error {
	if isFrame(c.Request().Header.Get("Sec-Fetch-Dest")) {
		return s.getBoot(c)
	}
	return requireSecret(s.getBoot)(c)
}

// getRunPath serves the boot page to the frame that runs executions.
func (s *Server) getRunPath(c echo.Context) error {
	if !isFrame(c.Request().Header.Get("Sec-Fetch-Dest")) {
		return refuse(http.StatusForbidden, "not-a-frame", "The page that runs executions is loaded only as a frame.")
	}
	return s.getBoot(c)
}

// getBoot serves the boot page. Page code can ask for it as often as it likes, so it
// costs as much as a request of the worker.
func (s *Server) getBoot(c echo.Context) error {
	version, sandbox := versionOf(c.Request()), sandboxOf(c.Request())
	if err := charge(c, sandbox.requests, 1); err != nil {
		return err
	}
	entry := sandbox.entry
	// An entry that names a file means that file, whatever its name holds. Any other is
	// a URL's path, with a query perhaps.
	if _, is := version.files.Lookup(entry); is {
		entry = vfs.URLPath(entry)
	}
	c.Response().Header().Set("Content-Type", "text/html; charset=utf-8")
	return s.innerPages.Boot.Render(c.Response(), innerframe.Data{
		Bundle: s.worker.Hash(), Incarnation: sandbox.incarnation, Outer: s.outerOrigin, Entry: entry, Waits: sandbox.app.waits(), NeedsWorker: version.withoutWorker == nil, Enough: enough(version.fire.Policy()),
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
	script := s.innerPages.ClientHead(s.outerOrigin, versionOf(c.Request()).granted()) + s.innerPages.ClientRest()
	return c.Blob(http.StatusOK, "text/javascript; charset=utf-8", []byte(script))
}

// oneRange is the only Range that a content is asked for with; any other is
// ignored, as RFC 9110, section 14.2, allows, and the whole is sent. net/http
// would also answer "bytes=-0", with a part that ends before it begins, and
// many ranges, with more bytes than the content has.
var oneRange = regexp.MustCompile(`^bytes=[0-9]+-[0-9]*$`)

// anyDocument answers a request that came past the worker. The worker itself gets a
// content to hand on. Unless the policy can do without the worker, a frame gets the boot
// page, which brings the worker back and loads the address again, and anything else gets
// nothing.
func (s *Server) anyDocument(c echo.Context) error {
	r := c.Request()
	switch {
	case r.Method == http.MethodGet && r.Header.Get(protocol.ContentHeader) != "" && !strings.HasPrefix(r.URL.Path, protocol.Prefix):
		return requireKey(metered(s.getContent))(c)
	case s.pastWorker(r, innerPlace):
		return s.getStatic(c)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		return refuse(http.StatusMethodNotAllowed, "method-not-allowed", "%s is not a method of this path; virtual files can only be read.", r.Method)
	case strings.HasPrefix(r.URL.Path, protocol.Prefix):
		return refuse(http.StatusNotFound, "not-found", "%s is below %s, which belongs to Bellglass, and there is nothing there.", r.URL.Path, protocol.Prefix)
	case isFrame(r.Header.Get("Sec-Fetch-Dest")):
		return s.getBoot(c)
	case r.Header.Get("Sec-Fetch-Site") == "cross-site":
		const advice = "its sandbox attribute lacks allow-same-origin, so it has no origin and no worker that could serve the file"
		sandboxOf(r).lines.warn("not served", "what", r.Method, "url", r.URL.Path, "reason", "a frame asked for it; "+advice)
		return refuse(http.StatusNotFound, "no-origin", "%s was asked for by another origin. If that is a frame of the sandbox, %s. Add allow-same-origin to the attribute.", r.URL.Path, advice)
	default:
		return refuse(http.StatusNotFound, "no-worker", "Virtual files are served by the sandbox's service worker, and this request came past it. A page gets its worker back when it is loaded again.")
	}
}
