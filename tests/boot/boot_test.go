package boot

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/playwright-community/playwright-go"

	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/sw"
	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// How a view begins, and how it reports that it cannot begin.

// visit opens the sandbox's host page, and does not wait.
func visit(t testing.TB, page playwright.Page, sandbox *server.Sandbox) *glass.View {
	t.Helper()
	if _, err := page.Goto(sandbox.HostURL()); err != nil {
		t.Fatal(err)
	}
	return glass.NewView(t, page, sandbox.URL())
}

// waitFailed waits until the host page says that nothing runs, why, and what to do.
func waitFailed(t testing.TB, v *glass.View, code string) {
	t.Helper()
	v.WaitFor(fmt.Sprintf(`[data-testid=state][data-state=failed][data-code=%q]`, code))
	failure := v.Page.GetByTestId("failure")
	if err := failure.WaitFor(); err != nil {
		t.Fatalf("the failure is not shown: %v", err)
	}
	for _, part := range []string{"#failure-text", "#failure-advice"} {
		if text, err := failure.Locator(part).TextContent(); err != nil || !strings.Contains(text, " ") || strings.Contains(text, "undefined") {
			t.Errorf("%s: %s says %q, %v; want a sentence", code, part, text, err)
		}
	}
	if text, err := failure.Locator("#failure-code").TextContent(); err != nil || text != code {
		t.Errorf("the failure's code reads %q, %v; want %s", text, err, code)
	}
	if n, err := v.Page.Locator(`[data-testid=console-line]`).Count(); err != nil || n > 0 {
		t.Errorf("%s: the console has %d lines, %v, so code has run", code, n, err)
	}
}

// holdingOuterScript holds the outer frame's script back until released is closed. The frame
// for the view precedes the script in the markup, so it exists before the script runs.
func holdingOuterScript(t *testing.T, released <-chan struct{}) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !strings.HasPrefix(r.Host, "sandbox.localhost") || r.Header.Get("Sec-Fetch-Dest") != "iframe" {
				next.ServeHTTP(w, r)
				return
			}
			whole := httptest.NewRecorder()
			next.ServeHTTP(whole, r)
			frame, script, found := strings.Cut(whole.Body.String(), "</iframe>")
			if !found {
				t.Errorf("the outer page has no frame: %.500s", whole.Body)
			}
			maps.Copy(w.Header(), whole.Header())
			w.WriteHeader(whole.Code)
			fmt.Fprint(w, frame+"</iframe>")
			w.(http.Flusher).Flush()
			select {
			case <-released:
			case <-r.Context().Done():
			}
			fmt.Fprint(w, script)
		})
	}
}

// The boot page may post messages before the outer frame's script listens.
func TestBootPageMayBeFirst(t *testing.T) {
	t.Parallel()
	begun := make(chan struct{})
	var once sync.Once
	g := glass.StartBehind(t, func(next http.Handler) http.Handler {
		holding := holdingOuterScript(t, begun)(next)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/.bellglass/state" { // the worker runs, long after the boot page posted its first message
				once.Do(func() { close(begun) })
			}
			holding.ServeHTTP(w, r)
		})
	})
	v := g.Open(t, "localhost", g.NewSandbox(t, glass.RanFiles, glass.BlockAll))
	if text, err := v.Frame().Locator("#word").TextContent(); err != nil || text != "ran" {
		t.Errorf("the view shows %q, %v", text, err)
	}
}

// The outer frame also learns of a boot page that failed before the outer frame's script ran.
func TestFailedBootMayBeFirst(t *testing.T) {
	t.Parallel()
	failed := make(chan struct{})
	g := glass.StartBehind(t, holdingOuterScript(t, failed))
	sandbox, page := g.NewSandbox(t, glass.RanFiles, glass.BlockAll), glass.NewPage(t)
	script := fmt.Sprintf("if (location.origin === %q) { %s }", sandbox.URL(), storageBlocked)
	if err := page.Context().AddInitScript(playwright.Script{Content: &script}); err != nil {
		t.Fatal(err)
	}
	if _, err := page.Goto(sandbox.HostURL(), playwright.PageGotoOptions{WaitUntil: playwright.WaitUntilStateCommit}); err != nil {
		t.Fatal(err)
	}
	boot := browser.Frame(t, page, sandbox.URL()+"/.bellglass/boot")
	if err := boot.Locator("#message:not([hidden])").WaitFor(playwright.LocatorWaitForOptions{State: playwright.WaitForSelectorStateAttached}); err != nil {
		t.Fatal(err)
	}
	close(failed)
	v := glass.NewView(t, page, sandbox.URL())
	v.WaitFor(`[data-testid=state][data-state=failed]`)
	waitFailed(t, v, "storage-blocked")
}

// answering itself answers requests for one path while on is true.
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

// changingScript changes the worker's script on its way to the browser.
func changingScript(change func(r *http.Request, script string) string) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/.bellglass/sw.js" {
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
			io.WriteString(w, change(r, recorded.Body.String()))
		})
	}
}

// anotherBundle gives the worker's script another version while on returns true.
func anotherBundle(on func() bool) func(http.Handler) http.Handler {
	return changingScript(func(_ *http.Request, script string) string {
		if !on() {
			return script
		}
		return bundleHash.ReplaceAllString(script, `"bundle":"another"`)
	})
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
		{"the state is no parcel", "state-unreachable", func(on *atomic.Bool) func(http.Handler) http.Handler {
			return answering("/.bellglass/state", on, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<html>") })
		}},
		{"the state has another protocol", "state-unreachable", func(on *atomic.Bool) func(http.Handler) http.Handler {
			return answering("/.bellglass/state", on, func(w http.ResponseWriter, _ *http.Request) {
				parts, err := sw.StateResponse([]byte(`{"protocol":99,"revision":1,"headers":{},"files":[]}`), sw.PreloadIndex{}, nil)
				if err != nil {
					t.Error(err)
				}
				w.Write(bytes.Join(parts, nil))
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
			g := glass.StartBehind(t, func(next http.Handler) http.Handler {
				faulty := fault(next)
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.URL.Path == "/.bellglass/boot" {
						boots <- struct{}{}
					}
					faulty.ServeHTTP(w, r)
				})
			})
			v := visit(t, glass.NewPage(t), g.NewSandbox(t, glass.RanFiles, glass.AllScripts))
			waitFailed(t, v, row.code)
			<-boots
			// While the fault persists, a retry fails again. The test waits for the next boot
			// to begin, so that the failure shown is the next one's.
			if err := v.Page.GetByTestId("retry").Click(); err != nil {
				t.Fatal(err)
			}
			<-boots
			waitFailed(t, v, row.code)

			on.Store(false)
			if err := v.Page.GetByTestId("reload").Click(); err != nil {
				t.Fatal(err)
			}
			v.WaitState("ready")
			if text := v.Text("#word"); text != "ran" {
				t.Errorf("after the recovery the view shows %q", text)
			}
			if visible, err := v.Page.GetByTestId("failure").IsVisible(); err != nil || visible {
				t.Errorf("after the recovery the failure is shown: %v, %v", visible, err)
			}
			v.WaitFor(`[data-testid=console-line]:has-text("code ran")`)
		})
	}
}

// A worker of another version is replaced once, without any action of the user.
func TestBootRepairsItself(t *testing.T) {
	t.Parallel()
	var served atomic.Int64
	// The first registration gets the other version, and so does its update.
	g := glass.StartBehind(t, anotherBundle(func() bool { return served.Add(1) <= 2 }))
	v := visit(t, glass.NewPage(t), g.NewSandbox(t, glass.RanFiles, glass.AllScripts))
	v.WaitFor(`[data-testid=state]:not([data-state=booting])`)
	v.WaitState("ready")
	if n := served.Load(); n < 3 {
		t.Errorf("the worker's script was served %d times, so nothing was repaired", n)
	}
}

// storageBlocked makes an origin behave as if it may not store anything.
const storageBlocked = `for (const name of ['register', 'getRegistration']) ServiceWorkerContainer.prototype[name] = () => Promise.reject(new DOMException('The operation is insecure.', 'SecurityError'))`

// hurried ends the next wait of a boot stage at once, whenever late is set.
const hurried = `let late = false; const { setTimeout } = window; window.setTimeout = (f, ms) => { const now = late && ms === 10_000; if (now) late = false; return setTimeout(f, now ? 0 : ms) }; `

// Browsers without service workers in a frame, and browsers that leave a stage of the boot
// unanswered. The failure names the stage. The driver changes only the inner origin, to behave
// as in such a browser.
func TestBrowserWithoutWorkers(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ name, code, change string }{
		{"no service workers", "worker-unsupported", `delete Navigator.prototype.serviceWorker`},
		{"no storage for framed sites", "storage-blocked", storageBlocked},
		{"registration hangs", "register-timeout", hurried + `ServiceWorkerContainer.prototype.register = () => { late = true; return new Promise(() => {}) }`},
		{"the worker takes no control", "control-timeout", hurried + `ServiceWorkerContainer.prototype.addEventListener = () => { late = true }; Object.defineProperty(ServiceWorkerContainer.prototype, 'controller', { get: () => null }); Object.defineProperty(ServiceWorkerRegistration.prototype, 'active', { get: () => null })`},
		{"the worker does not answer", "state-timeout", hurried + `const { fetch } = window; window.fetch = (...args) => { if (args[0] !== '/.bellglass/hello') return fetch(...args); late = true; return new Promise(() => {}) }`},
		{"registration fails", "worker-refused", `ServiceWorkerContainer.prototype.register = () => Promise.reject(new TypeError('on purpose.'))`},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			g := glass.Start(t)
			sandbox, page := g.NewSandbox(t, glass.RanFiles, glass.AllScripts), glass.NewPage(t)
			script := fmt.Sprintf("if (location.origin === %q) { %s }", sandbox.URL(), row.change)
			if err := page.Context().AddInitScript(playwright.Script{Content: &script}); err != nil {
				t.Fatal(err)
			}
			waitFailed(t, visit(t, page, sandbox), row.code)
		})
	}
}

func TestTabOfItsOwnRunsNothing(t *testing.T) {
	t.Parallel()
	g := glass.Start(t)
	sandbox := g.NewSandbox(t, glass.RanFiles, glass.AllScripts)
	check := func(when string, page playwright.Page) {
		t.Helper()
		for _, path := range []string{"/", "/index.html", "/missing", "/.bellglass/boot", "/.bellglass/sw.js"} {
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
	check("at first", glass.NewPage(t))
	// The same holds next to a running view.
	v := g.Open(t, "localhost", sandbox)
	tab, err := v.Page.Context().NewPage()
	if err != nil {
		t.Fatal(err)
	}
	check("beside a view", tab)
}
