package tests

import (
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/playwright-community/playwright-go"

	"github.com/bellglass/bellglass/firewall/firewalltest"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/browser"
)

// How a view begins, and how it says that it cannot.

var bootFiles = map[string]string{
	"/index.html": `<!doctype html><html lang="en"><meta charset="utf-8"><title>Boot</title><p id="word">ran</p><script>console.log('code ran')</script>`,
}

// visit opens the sandbox's host page and waits for nothing.
func (g *glass) visit(t testing.TB, page playwright.Page, sandbox *server.Sandbox) *view {
	t.Helper()
	if _, err := page.Goto(sandbox.HostURL()); err != nil {
		t.Fatal(err)
	}
	return &view{t: t, page: page, inner: sandbox.URL()}
}

// waitFailed waits until the host page says that nothing runs, why, and what to do.
func (v *view) waitFailed(code string) {
	v.t.Helper()
	v.waitFor(fmt.Sprintf(`[data-testid=state][data-state=failed][data-code=%q]`, code))
	failure := v.page.GetByTestId("failure")
	if err := failure.WaitFor(); err != nil {
		v.t.Fatalf("the failure is not shown: %v", err)
	}
	for _, part := range []string{"#failure-text", "#failure-advice"} {
		if text, err := failure.Locator(part).TextContent(); err != nil || !strings.Contains(text, " ") || strings.Contains(text, "undefined") {
			v.t.Errorf("%s: %s says %q, %v; want a sentence", code, part, text, err)
		}
	}
	if text, err := failure.Locator("#failure-code").TextContent(); err != nil || text != code {
		v.t.Errorf("the failure's code reads %q, %v; want %s", text, err, code)
	}
	if n, err := v.page.Locator(`[data-testid=console-line]`).Count(); err != nil || n > 0 {
		v.t.Errorf("%s: the console has %d lines, %v, so code has run", code, n, err)
	}
}

// answering answers requests for one path itself while it is on.
func answering(path string, on *atomic.Bool, answer http.HandlerFunc) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if on.Load() && r.URL.Path == path {
				answer(w, r)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

var bundleHash = regexp.MustCompile(`"bundle":"[^"]*"`)

// anotherBundle makes the worker's script one of another version while it is on.
func anotherBundle(on func() bool) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/.bellglass/sw.js" || !on() {
				next.ServeHTTP(w, r)
				return
			}
			recorded := httptest.NewRecorder()
			next.ServeHTTP(recorded, r)
			for name, values := range recorded.Header() {
				if name != "Content-Length" {
					w.Header()[name] = values
				}
			}
			w.WriteHeader(recorded.Code)
			io.WriteString(w, bundleHash.ReplaceAllString(recorded.Body.String(), `"bundle":"another"`))
		})
	}
}

func TestFailedBootSaysWhyAndRecovers(t *testing.T) {
	t.Parallel()
	refuse := func(status int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "on purpose", status) }
	}
	for _, row := range []struct {
		name, code string
		front      func(on *atomic.Bool) func(http.Handler) http.Handler
	}{
		{"the state is refused", "state-unreachable", func(on *atomic.Bool) func(http.Handler) http.Handler {
			return answering("/.bellglass/state", on, refuse(http.StatusInternalServerError))
		}},
		{"the state is no JSON", "state-unreachable", func(on *atomic.Bool) func(http.Handler) http.Handler {
			return answering("/.bellglass/state", on, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<html>") })
		}},
		{"the state has another protocol", "state-unreachable", func(on *atomic.Bool) func(http.Handler) http.Handler {
			return answering("/.bellglass/state", on, func(w http.ResponseWriter, _ *http.Request) {
				io.WriteString(w, `{"protocol":99,"revision":1,"headers":{},"files":[]}`)
			})
		}},
		{"the worker's script is refused", "worker-refused", func(on *atomic.Bool) func(http.Handler) http.Handler {
			return answering("/.bellglass/sw.js", on, refuse(http.StatusNotFound))
		}},
		{"the worker's script does not parse", "worker-refused", func(on *atomic.Bool) func(http.Handler) http.Handler {
			return answering("/.bellglass/sw.js", on, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/javascript")
				w.Header().Set("Service-Worker-Allowed", "/")
				io.WriteString(w, "(")
			})
		}},
		{"the worker is of another version", "version-mismatch", func(on *atomic.Bool) func(http.Handler) http.Handler {
			return anotherBundle(on.Load)
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			var on atomic.Bool
			on.Store(true)
			boots, fault := make(chan struct{}, 100), row.front(&on)
			g := startGlassBehind(t, func(next http.Handler) http.Handler {
				faulty := fault(next)
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.URL.Path == "/.bellglass/boot" {
						boots <- struct{}{}
					}
					faulty.ServeHTTP(w, r)
				})
			})
			v := g.visit(t, newPage(t), g.sandbox(t, bootFiles, allScripts))
			v.waitFailed(row.code)
			<-boots
			// With the fault still there, asking again fails again. Only when the
			// next boot has begun is the failure that is shown the next one's.
			if err := v.page.GetByTestId("retry").Click(); err != nil {
				t.Fatal(err)
			}
			<-boots
			v.waitFailed(row.code)

			on.Store(false)
			if err := v.page.GetByTestId("reload").Click(); err != nil {
				t.Fatal(err)
			}
			v.waitState("ready")
			if text := v.text("#word"); text != "ran" {
				t.Errorf("after the recovery the view shows %q", text)
			}
			if visible, err := v.page.GetByTestId("failure").IsVisible(); err != nil || visible {
				t.Errorf("after the recovery the failure is shown: %v, %v", visible, err)
			}
			v.waitFor(`[data-testid=console-line]:has-text("code ran")`)
		})
	}
}

// A worker of another version is replaced once, without anybody being asked.
func TestBootRepairsItself(t *testing.T) {
	t.Parallel()
	var served atomic.Int64
	// The first registration gets the other version, and its update too.
	g := startGlassBehind(t, anotherBundle(func() bool { return served.Add(1) <= 2 }))
	v := g.visit(t, newPage(t), g.sandbox(t, bootFiles, allScripts))
	v.waitFor(`[data-testid=state]:not([data-state=booting])`)
	v.waitState("ready")
	if n := served.Load(); n < 3 {
		t.Errorf("the worker's script was served %d times, so nothing was repaired", n)
	}
}

// Browsers without service workers in a frame. The driver changes the inner
// origin alone, as such a browser would be there.
func TestBrowserWithoutWorkers(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ name, code, change string }{
		{"no service workers", "worker-unsupported", `delete Navigator.prototype.serviceWorker`},
		{"no storage for framed sites", "storage-blocked", `ServiceWorkerContainer.prototype.register = () => Promise.reject(new DOMException('The operation is insecure.', 'SecurityError'))`},
		{"registration fails", "worker-refused", `ServiceWorkerContainer.prototype.register = () => Promise.reject(new TypeError('on purpose.'))`},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			g := startGlass(t)
			sandbox, page := g.sandbox(t, bootFiles, allScripts), newPage(t)
			script := fmt.Sprintf("if (location.origin === %q) { %s }", sandbox.URL(), row.change)
			if err := page.Context().AddInitScript(playwright.Script{Content: &script}); err != nil {
				t.Fatal(err)
			}
			g.visit(t, page, sandbox).waitFailed(row.code)
		})
	}
}

// The level is what the browser was seen to enforce, not what it is thought to.
func TestContainmentIsProbed(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		level  string
		adjust func(*server.Config)
	}{
		{"allowlist", func(*server.Config) {}},
		{"csp", func(c *server.Config) {
			c.Defences = firewalltest.NoDefences("a probe without its header is a browser that does not know it")
		}},
	} {
		t.Run(row.level, func(t *testing.T) {
			t.Parallel()
			g := startGlass(t, row.adjust)
			v := g.open(t, "localhost", g.sandbox(t, bootFiles, allScripts))
			v.waitFor(fmt.Sprintf(`[data-testid=state][data-state=ready][data-containment=%s]`, row.level))
			v.waitFor(fmt.Sprintf(`[data-testid=containment][data-level=%s]`, row.level))
		})
	}
}

func TestTabOfItsOwnRunsNothing(t *testing.T) {
	t.Parallel()
	g := startGlass(t)
	sandbox := g.sandbox(t, bootFiles, allScripts)
	check := func(when string, page playwright.Page) {
		t.Helper()
		for _, path := range []string{"/", "/index.html", "/missing", "/.bellglass/boot", "/.bellglass/probe", "/.bellglass/sw.js"} {
			response, err := page.Goto(sandbox.URL() + path)
			if err != nil {
				t.Fatal(err)
			}
			heading, err := page.Locator("h1").TextContent()
			if err != nil {
				t.Fatal(err)
			}
			scripts, err := page.Evaluate(`() => document.scripts.length`)
			if response.Status() != http.StatusForbidden || !strings.Contains(heading, "does not run in a tab of its own") || err != nil || scripts != 0 {
				t.Errorf("%s, %s: %d %q with %v scripts, %v", when, path, response.Status(), heading, scripts, err)
			}
		}
	}
	check("at first", newPage(t))
	// Also next to a running view.
	v := g.open(t, "localhost", sandbox)
	tab, err := v.page.Context().NewPage()
	if err != nil {
		t.Fatal(err)
	}
	check("beside a view", tab)
}

// An embedder is a page of somebody else's, on an origin of its own, that
// frames whatever its query names.
func startEmbedder(t *testing.T) (origin string) {
	t.Helper()
	listeners := listenLoopback(t)
	serve(t, listeners, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><meta charset="utf-8"><title>Embedder</title>
<script>loaded = new Promise((resolve) => { frameLoaded = resolve })</script>
<iframe id="sandbox" src="%s" onload="frameLoaded()"></iframe><iframe id="sibling" srcdoc="sibling"></iframe>`, html.EscapeString(r.FormValue("frame")))
	}))
	return fmt.Sprintf("http://localhost:%d", listeners[0].Addr().(*net.TCPAddr).Port)
}

// embed opens the embedder's page around the sandbox and waits until the frame
// has loaded, be it an error page.
func embed(t *testing.T, embedder string, sandbox *server.Sandbox) playwright.Page {
	t.Helper()
	page := newPage(t)
	if _, err := page.Goto(embedder + "/?frame=" + sandbox.OuterURL()); err != nil {
		t.Fatal(err)
	}
	if _, err := evaluateIn(page, `() => loaded`); err != nil {
		t.Fatal(err)
	}
	return page
}

func TestPlainIframeIsEnough(t *testing.T) {
	t.Parallel()
	allowed, other := startEmbedder(t), startEmbedder(t)
	var asked atomic.Int64 // requests to the sandbox's own origin
	g := startGlassBehind(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.Count(r.Host, ".") == 2 {
				asked.Add(1)
			}
			next.ServeHTTP(w, r)
		})
	}, func(c *server.Config) { c.Embedders = []string{allowed} })
	sandbox := g.sandbox(t, bootFiles, allScripts)

	// An origin that is not on the list, first: nothing has been asked for yet.
	page := embed(t, other, sandbox)
	if text, err := page.FrameLocator("#sandbox").Locator("body").TextContent(); err != nil || !strings.Contains(text, "ERR_BLOCKED_BY_RESPONSE") {
		t.Errorf("the browser does not refuse the frame: %.300q, %v", text, err)
	}
	if n := asked.Load(); n > 0 {
		t.Errorf("a page that may not embed it made %d requests to the sandbox", n)
	}

	page = embed(t, allowed, sandbox)
	v := &view{t: t, page: page, inner: sandbox.URL()}
	if text := v.text("#word"); text != "ran" {
		t.Errorf("the view shows %q", text)
	}
	// It is in sight, not behind the cover that says "starting".
	if err := page.FrameLocator("#sandbox").FrameLocator("iframe").Locator("#word").WaitFor(); err != nil {
		t.Errorf("the view is not shown: %v", err)
	}
	if asked.Load() == 0 {
		t.Error("no request to the sandbox was counted, so the count says nothing")
	}
}

// connecting defines window.connect in an embedder's page: it posts a message
// with a port to the outer frame in the name of a window, and returns the end of
// the port. What arrives there is its log.
const connecting = `() => {
	window.connect = (message = { kind: 'connect', protocol: 1 }, from = window) => {
		const { port1, port2 } = new MessageChannel()
		const got = []
		const waiting = []
		port1.onmessage = (event) => {
			got.push(event.data)
			for (const look of waiting) look()
		}
		const heard = (test) => new Promise((resolve) => {
			const look = () => { if (got.some(test)) resolve() }
			waiting.push(look)
			look()
		})
		from.Function('target', 'message', 'port', "target.postMessage(message, '*', [port])")(document.querySelector('#sandbox').contentWindow, message, port2)
		return { port: port1, got, heard, seen: () => heard((data) => data === 'seen') }
	}
	window.kinds = (log) => log.got.map((data) => data.kind ?? data).filter((kind) => kind !== 'event').join()
}`

// echoing makes the outer frame's window answer "seen" on each port that it is
// given, after the outer's own listener and on the same port, so that what the
// outer said before it is there when it is.
const echoing = `() => addEventListener('message', (event) => event.ports[0]?.postMessage('seen'))`

// prepareOuter makes an embedder's page ready for connect.
func prepareOuter(t *testing.T, page playwright.Page, sandbox *server.Sandbox) {
	t.Helper()
	if _, err := page.Evaluate(connecting); err != nil {
		t.Fatal(err)
	}
	if _, err := browser.Frame(t, page, sandbox.OuterURL()).Evaluate(echoing); err != nil {
		t.Fatal(err)
	}
}

func TestOuterTakesOneConnect(t *testing.T) {
	t.Parallel()
	embedder := startEmbedder(t)
	var boots atomic.Int64
	g := startGlassBehind(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/.bellglass/boot" {
				boots.Add(1)
			}
			next.ServeHTTP(w, r)
		})
	}, func(c *server.Config) { c.Embedders = []string{embedder} })
	sandbox := g.sandbox(t, bootFiles, allScripts)
	page := embed(t, embedder, sandbox)
	prepareOuter(t, page, sandbox)
	v := &view{t: t, page: page, inner: sandbox.URL()}
	if text := v.text("#word"); text != "ran" {
		t.Fatalf("the view shows %q", text)
	}

	// The sandbox's own page poses as the embedder.
	own := v.eval(`() => new Promise((resolve) => {
		const { port1, port2 } = new MessageChannel()
		const got = []
		port1.onmessage = (event) => { got.push(event.data.kind ?? event.data); if (event.data === 'seen') resolve(got.join()) }
		parent.postMessage({ kind: 'connect', protocol: 1 }, '*', [port2])
	})`)
	if own != "seen" {
		t.Errorf("the sandbox's own page was answered: %v", own)
	}
	got, err := evaluateIn(page, `async () => {
		const sibling = connect(undefined, document.querySelector('#sibling').contentWindow)
		await sibling.seen()
		const strange = connect({ kind: 'hello', protocol: 1 })
		await strange.seen()
		window.first = connect()
		await first.heard((data) => data.kind === 'state' && data.state === 'ready')
		window.second = connect()
		await second.seen()
		return JSON.stringify({ sibling: kinds(sibling), strange: kinds(strange), second: kinds(second) })
	}`)
	if want := `{"sibling":"seen","strange":"seen","second":"seen"}`; err != nil || got != want {
		t.Errorf("the outer answered %v, %v; want %s", got, err, want)
	}
	// Only the first port is listened to.
	got, err = evaluateIn(page, `async () => {
		second.port.postMessage({ kind: 'reload' })
		first.got.length = 0
		first.port.postMessage({ kind: 'reload' })
		await first.heard((data) => data.kind === 'state' && data.state === 'booting')
		await first.heard((data) => data.kind === 'state' && data.state === 'ready')
		return kinds(second)
	}`)
	if err != nil || got != "seen" {
		t.Errorf("the second port got %v, %v", got, err)
	}
	if n := boots.Load(); n != 2 {
		t.Errorf("the view booted %d times, want once at first and once for the first port's reload", n)
	}
}

// Without frame-ancestors any page can frame the outer; it still talks to the
// pages on its list alone.
func TestOuterTalksToListedOriginsAlone(t *testing.T) {
	t.Parallel()
	listed, other := startEmbedder(t), startEmbedder(t)
	g := startGlass(t, func(c *server.Config) {
		c.Embedders = []string{listed}
		c.Defences = firewalltest.NoDefences("frame-ancestors would keep the strange page out")
	})
	sandbox := g.sandbox(t, bootFiles, allScripts)
	const talk = `async () => { const log = connect(); await log.seen(); return kinds(log) }`
	for _, row := range []struct{ embedder, want string }{{other, "seen"}, {listed, "state,seen"}} {
		page := embed(t, row.embedder, sandbox)
		prepareOuter(t, page, sandbox)
		got, err := evaluateIn(page, talk)
		if err != nil {
			t.Fatal(err)
		}
		if text := got.(string); text != row.want && !(row.want != "seen" && strings.HasPrefix(text, "state,")) {
			t.Errorf("the page of %s heard %s, want %s", row.embedder, text, row.want)
		}
	}
}
