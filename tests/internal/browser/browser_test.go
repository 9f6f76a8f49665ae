package browser

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/tests/internal/canary"
)

var shared *Browser

func TestMain(m *testing.M) {
	b, err := Launch()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	shared = b
	code := m.Run()
	if err := b.Close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	os.Exit(code)
}

const hostPage = `<!doctype html><title>host</title>
<iframe src="http://x.sandbox.localhost:PORT/frame" sandbox="allow-scripts allow-same-origin"></iframe>`

// The frame counts how often its worker answers. The worker counts in memory.
const framePage = `<!doctype html><title>frame</title><script>
globalThis.ready = (async () => {
  await navigator.serviceWorker.register('/worker.js');
  await navigator.serviceWorker.ready;
  if (!navigator.serviceWorker.controller)
    await new Promise(go => navigator.serviceWorker.addEventListener('controllerchange', go, {once: true}));
  return 'controlled';
})();
</script>`

const worker = `let answers = 0;
addEventListener('install', e => e.waitUntil(skipWaiting()));
addEventListener('activate', e => e.waitUntil(clients.claim()));
addEventListener('fetch', e => {
  if (new URL(e.request.url).pathname === '/virtual') e.respondWith(new Response('answer ' + ++answers));
});`

func serveSite(t *testing.T) (port string) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch r.URL.Path {
		case "/":
			fmt.Fprint(w, strings.ReplaceAll(hostPage, "PORT", port))
		case "/frame":
			fmt.Fprint(w, framePage)
		case "/worker.js":
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprint(w, worker)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(site.Close)
	return site.URL[strings.LastIndex(site.URL, ":")+1:]
}

// A worker in a cross-site frame registers and answers, as in a user's browser, and
// loses its memory when it is stopped.
func TestCrossSiteServiceWorker(t *testing.T) {
	port := serveSite(t)
	page := shared.Page(t)
	if _, err := page.Goto("http://127.0.0.1:" + port + "/"); err != nil {
		t.Fatal(err)
	}
	frame := Frame(t, page, "http://x.sandbox.localhost:"+port+"/frame")
	if got, err := frame.Evaluate(`() => globalThis.ready`); err != nil || got != "controlled" {
		t.Fatalf("registering: %v, %v", got, err)
	}
	ask := func() any {
		t.Helper()
		got, err := frame.Evaluate(`async () => (await fetch('/virtual')).text()`)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	for _, want := range []string{"answer 1", "answer 2"} {
		if got := ask(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	StopServiceWorkers(t, page)
	if got := ask(); got != "answer 1" {
		t.Errorf("after the worker was stopped: %q; want it to have started again", got)
	}
}

// Two pages of one test run share nothing.
func TestPagesAreApart(t *testing.T) {
	port := serveSite(t)
	for range 2 {
		page := shared.Page(t)
		if _, err := page.Goto("http://127.0.0.1:" + port + "/"); err != nil {
			t.Fatal(err)
		}
		was, err := page.Evaluate(`() => { const was = localStorage.getItem('k'); localStorage.setItem('k', 'v'); return was }`)
		if err != nil || was != nil {
			t.Errorf("storage of a new page: %v, %v", was, err)
		}
	}
}

// Closing a context closes its connections, including kept-alive ones. This makes
// canary.Quiesce a barrier for a page.
func TestClosedContextIsQuiet(t *testing.T) {
	port := serveSite(t)
	c := canary.Start(t)
	page := shared.Page(t)
	if _, err := page.Goto("http://127.0.0.1:" + port + "/"); err != nil {
		t.Fatal(err)
	}
	if _, err := page.Evaluate(`async ([fetched, beacon, ws]) => {
		await fetch(fetched);
		await new Promise((ok, no) => { globalThis.ws = new WebSocket(ws); globalThis.ws.onopen = ok; globalThis.ws.onerror = no });
		navigator.sendBeacon(beacon, 'bye');
	}`, []string{c.URL("fetched", "x.json"), c.URL("beacon", "x"), c.WebSocketURL("live")}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Wait(t.Context(), "beacon"); err != nil {
		t.Fatal(err)
	}
	if err := page.Context().Close(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), Patience)
	defer cancel()
	if err := c.Quiesce(ctx); err != nil {
		t.Error(err)
	}
	for _, token := range []string{"fetched", "beacon", "live"} {
		if len(c.Hits(token)) != 1 {
			t.Errorf("%s: %+v", token, c.Hits(token))
		}
	}
}

// A failed test leaves its record in the folder that was requested.
func TestArtifacts(t *testing.T) {
	t.Setenv(ArtifactsEnv, t.TempDir())
	port := serveSite(t)
	failing := &failed{TB: t}
	page := shared.Page(failing)
	if _, err := page.Goto("http://127.0.0.1:" + port + "/"); err != nil {
		t.Fatal(err)
	}
	frame := Frame(t, page, "http://x.sandbox.localhost:"+port)
	gone := httptest.NewServer(nil)
	gone.Close() // nothing listens at its address now
	if _, err := page.ExpectEvent("requestfailed", func() error {
		_, err := frame.Evaluate(`async (url) => { console.error("from the frame"); await fetch(url).catch(() => {}) }`, gone.URL)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	failing.cleanup()
	for _, want := range []string{"console error: from the frame", "failed: GET " + gone.URL, "artifacts: "} {
		if !strings.Contains(failing.log.String(), want) {
			t.Errorf("no %q in the log:\n%s", want, failing.log.String())
		}
	}
	for _, name := range []string{"browser.log", "page-1.png", "trace.zip"} {
		found, err := filepath.Glob(filepath.Join(os.Getenv(ArtifactsEnv), "*", name))
		if err != nil || len(found) != 1 {
			t.Errorf("%s: %v, %v", name, found, err)
		}
	}
}

// A failed is a failed test whose cleanup is called by hand.
type failed struct {
	testing.TB
	cleanup func()
	log     strings.Builder
}

func (f *failed) Failed() bool      { return true }
func (f *failed) Cleanup(fn func()) { f.cleanup = fn }
func (f *failed) Logf(format string, args ...any) {
	fmt.Fprintf(&f.log, format+"\n", args...)
}
