package boot

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/playwright-community/playwright-go"

	"github.com/bellglass/bellglass/tests/internal/glass"
)

// After a change of the policy, the next load of the view's document begins with the boot
// page, which loads it again. However often that happens in one view, it does not count as a
// loop. The state of the page's history entry stays unchanged.
func TestPolicyChangesOftenInOneView(t *testing.T) {
	t.Parallel()
	g := glass.Start(t)
	sandbox := g.NewSandbox(t, glass.RanFiles, glass.AllScripts)
	v := g.Open(t, "localhost", sandbox)
	v.Eval(`() => history.replaceState({ page: 7 }, '')`)
	for change := 1; change <= 6; change++ {
		policy := fmt.Sprintf("%srules:\n  - id: some\n    allow: https://%d.example.com\n", glass.AllScripts, change)
		if _, err := sandbox.SetPolicy(glass.Parse(t, policy)); err != nil {
			t.Fatal(err)
		}
		v.Reload()
		if text := v.Text("#word"); text != "ran" {
			t.Fatalf("after change %d of the policy the view shows %q", change, text)
		}
		if got := v.Eval(`() => JSON.stringify(history.state)`); got != `{"page":7}` {
			t.Errorf("after change %d of the policy the page's history entry holds %v", change, got)
		}
	}
	v.WaitState("ready")
}

// Every address of a document is loaded again if no worker was there to serve it. The boot
// page, which takes the document's place, can navigate to each of them.
func TestEveryAddressIsLoadedAgain(t *testing.T) {
	t.Parallel()
	var came sync.Map // the addresses at which the server got requests for a document
	g := glass.StartBehind(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Sec-Fetch-Dest") == "iframe" {
				came.Store(r.RequestURI, true)
			}
			next.ServeHTTP(w, r)
		})
	})
	addresses := []string{
		"/", "/?", "/?//", "/index.html?a=b&c=%2F#//here", "/deep/er/page.html", "/a(b)/:c/%7Bd%7D/*+e.html",
		"/caf%C3%A9%20%7C.html", "/a%3Fb.html", "/.hidden/%5B1%5D.html",
	}
	files := map[string]string{"/index.html": glass.RanFiles["/index.html"]}
	for _, address := range addresses {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if u.Path != "/" {
			files[u.Path] = glass.RanFiles["/index.html"]
		}
	}
	v := g.Open(t, "localhost", g.NewSandbox(t, files, glass.AllScripts))
	for _, address := range addresses {
		v.Unregister()
		got := v.Nest(address, `async (frame) => {
			const deadline = Date.now() + 20_000
			while (frame.document.getElementById('word') === null && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20))
			return frame.location.href + ' ' + (frame.document.getElementById('word')?.textContent ?? 'is no page')
		}`)
		if want := v.Origin + address + " ran"; got != want {
			t.Errorf("got %v, want %s", got, want)
		}
		asked, _, _ := strings.Cut(address, "#")
		if _, ok := came.Load(asked); !ok {
			t.Errorf("%s was never asked of the server, so no boot page stood in", address)
		}
	}
}

// If a worker never hands the page over to the next one, the boot fails, and the failure says
// so.
func TestHeldWorkerEndsTheBoot(t *testing.T) {
	t.Parallel()
	var scripts atomic.Int64 // how often the worker's script was requested
	g := glass.StartBehind(t, func(next http.Handler) http.Handler {
		// Each request gets a different script, so that there is always a worker waiting to
		// take over.
		another := changingScript(func(_ *http.Request, script string) string { return fmt.Sprintf("%s\n// %d\n", script, scripts.Add(1)) })
		return another(anotherBundle(func() bool { return true })(next))
	})
	sandbox, page := g.NewSandbox(t, glass.RanFiles, glass.AllScripts), glass.NewPage(t)
	// The page does not hear that one worker takes over from another. Once a worker waits, the
	// deadline expires at once.
	script := fmt.Sprintf(`if (location.origin === %q) {
		const { addEventListener } = EventTarget.prototype, { setTimeout } = window, { update } = ServiceWorkerRegistration.prototype
		let over = false
		ServiceWorkerContainer.prototype.addEventListener = function (type, ...rest) {
			if (type !== 'controllerchange' || this.controller === null) addEventListener.call(this, type, ...rest)
		}
		ServiceWorkerRegistration.prototype.update = async function () {
			const updated = await update.call(this)
			over = true
			return updated
		}
		window.setTimeout = (f, ms) => setTimeout(f, over && ms === 10_000 ? 0 : ms)
		ServiceWorkerContainer.prototype.getRegistrations = new Proxy(ServiceWorkerContainer.prototype.getRegistrations, { apply: (f, self, args) => { over = false; return Reflect.apply(f, self, args) } })
	}`, sandbox.URL())
	if err := page.Context().AddInitScript(playwright.Script{Content: &script}); err != nil {
		t.Fatal(err)
	}
	v := visit(t, page, sandbox)
	waitFailed(t, v, "boot-loop")
	if text, err := v.Page.Locator("#failure-text").TextContent(); err != nil || !strings.Contains(text, "does not come into control") {
		t.Errorf("the host page says %q, %v", text, err)
	}
}

// If the browser does not replace the old worker by the new one, yet another worker is
// installed to force that, even while a document keeps the old one. The next view does not
// start this again.
func TestHandOverIsTriedAgain(t *testing.T) {
	t.Parallel()
	var held atomic.Bool
	var plain, again atomic.Int64 // how often the script was requested, by its address
	g := glass.StartBehind(t, changingScript(func(r *http.Request, script string) string {
		if r.URL.RawQuery != "" {
			again.Add(1)
			return script
		}
		if plain.Add(1); !held.Load() {
			return script
		}
		// This worker waits, like one that Chromium never activates.
		return strings.ReplaceAll(script, "self.skipWaiting()", "0")
	}))
	sandbox := g.NewSandbox(t, nestedFiles, glass.AllScripts)
	v := g.Open(t, "localhost", sandbox)
	held.Store(true)
	if _, err := sandbox.SetPolicy(glass.Parse(t, glass.AllScripts+"rules:\n  - id: some\n    allow: https://example.com\n")); err != nil {
		t.Fatal(err)
	}
	if text := v.Nest("/nested.html", wordOrCode); text != "ran" {
		t.Fatalf("the nested document shows %q", text)
	}
	if again.Load() == 0 {
		t.Error("no other worker was installed, so nothing was tried again")
	}
	before := plain.Load()
	if _, err := v.Page.Reload(); err != nil {
		t.Fatal(err)
	}
	v.WaitState("ready")
	if text := v.Text("#word"); text != "ran" || plain.Load() != before {
		t.Errorf("the next view shows %q, and the script was asked for %d times by its first address", text, plain.Load()-before)
	}
}

// A page can register the worker with other options. The next boot registers it as it must be.
func TestRegistrationOfThePageIsReplaced(t *testing.T) {
	t.Parallel()
	g := glass.Start(t)
	v := g.Open(t, "localhost", g.NewSandbox(t, glass.RanFiles, glass.AllScripts))
	const options = `(await navigator.serviceWorker.getRegistration()).updateViaCache`
	if got := v.Eval(`async () => {
		await navigator.serviceWorker.register(navigator.serviceWorker.controller.scriptURL, { scope: '/', updateViaCache: 'all' })
		return ` + options + `
	}`); got != "all" {
		t.Fatalf("the page registers with %v, so this test shows nothing", got)
	}
	if _, err := v.Page.Reload(); err != nil {
		t.Fatal(err)
	}
	v.WaitState("ready")
	if got := v.Eval(`async () => ` + options); got != "none" {
		t.Errorf("after the next boot the registration has %v", got)
	}
}

// A load that the browser never starts is given up, even in a document that the outer frame
// does not know.
func TestLoadThatNeverComesIsGivenUp(t *testing.T) {
	t.Parallel()
	g := glass.Start(t)
	sandbox, page := g.NewSandbox(t, nestedFiles, glass.AllScripts), glass.NewPage(t)
	// The first document of a frame reuses the window of the empty document before it, whose
	// address differs.
	script := `const { setTimeout } = window
		window.setTimeout = (f, ms) => {
			if (ms !== 30_000 || location.search !== '?never') return setTimeout(f, ms)
			stop()
			return setTimeout(f, 0)
		}`
	if err := page.Context().AddInitScript(playwright.Script{Content: &script}); err != nil {
		t.Fatal(err)
	}
	v := visit(t, page, sandbox)
	v.WaitState("ready")
	for _, row := range []struct{ query, policy, want string }{
		{"?comes", "https://1.example.com", "ran"}, {"?never", "https://2.example.com", "page-timeout"},
	} {
		if _, err := sandbox.SetPolicy(glass.Parse(t, glass.AllScripts+"rules:\n  - id: some\n    allow: "+row.policy+"\n")); err != nil {
			t.Fatal(err)
		}
		if text := v.Nest("/nested.html"+row.query, wordOrCode); text != row.want {
			t.Errorf("%s: the nested document shows %q; want %q", row.query, text, row.want)
		}
	}
}

var nestedFiles = map[string]string{
	"/index.html":  glass.RanFiles["/index.html"],
	"/nested.html": glass.RanFiles["/index.html"],
}

// wordOrCode waits for a document's word, or for the failure code of the boot page in its
// place.
const wordOrCode = `async (frame) => {
	for (;;) {
		const said = frame.document.querySelector('#word') ?? frame.document.querySelector('#message:not([hidden]) #code')
		if (said !== null) return said.textContent
		await new Promise((resolve) => requestAnimationFrame(resolve))
	}
}`
