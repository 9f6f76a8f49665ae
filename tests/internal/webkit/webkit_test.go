package webkit

import (
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bellglass/bellglass/tests/internal/programs"
	"github.com/bellglass/bellglass/tests/internal/remote"
)

var shared *Browser

func TestMain(m *testing.M) {
	b, err := Launch(context.Background())
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
<iframe src="http://x.sandbox.localhost:PORT/outer" sandbox="allow-scripts allow-same-origin"></iframe>`

const outerPage = `<!doctype html><title>outer</title><iframe src="http://y.sandbox.localhost:PORT/inner"></iframe>`

const innerPage = `<!doctype html><title>inner</title><script>
globalThis.before = [localStorage.length, navigator.serviceWorker.controller !== null];
localStorage.setItem('a', 'b');
globalThis.ready = (async () => {
  await navigator.serviceWorker.register('/worker.js');
  if (!navigator.serviceWorker.controller)
    await new Promise(go => navigator.serviceWorker.addEventListener('controllerchange', go, {once: true}));
})();
</script>`

const worker = `addEventListener('activate', e => e.waitUntil(clients.claim()));
addEventListener('fetch', e => {
  if (new URL(e.request.url).pathname === '/virtual') e.respondWith(new Response('from the worker'));
});`

// serveSite serves a page that frames a page of another site, which frames a third.
func serveSite(t *testing.T) (port string) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch r.URL.Path {
		case "/":
			fmt.Fprint(w, strings.ReplaceAll(hostPage, "PORT", port))
		case "/outer":
			fmt.Fprint(w, strings.ReplaceAll(outerPage, "PORT", port))
		case "/inner":
			fmt.Fprint(w, innerPage)
		case "/strict":
			w.Header().Set("Content-Security-Policy", "default-src 'none'; sandbox")
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

// A frame of another site is found, and its worker registers and answers as in a user's
// browser. The next page has nothing of it.
func TestPagesAreApart(t *testing.T) {
	port := serveSite(t)
	for range 2 {
		page := shared.Open(t, "http://127.0.0.1:"+port+"/")
		frame := page.Frame(t, "http://x.sandbox.localhost:"+port+"/").Frame(t, "http://y.sandbox.localhost:"+port+"/inner")
		var before [2]any
		frame.Eval(t, `before`, &before)
		if before != [2]any{0., false} {
			t.Errorf("at first, entries in the storage and a worker: %v", before)
		}
		frame.Eval(t, `ready`, nil)
		var got string
		frame.Eval(t, `fetch('/virtual').then(r => r.text()) // code may end in a comment`, &got)
		if got != "from the worker" {
			t.Errorf("got %q", got)
		}
		page.Eval(t, `document.title`, &got)
		if got != "host" {
			t.Errorf("the page is %q", got)
		}
	}
}

func TestEval(t *testing.T) {
	page := shared.Open(t, "http://localhost:"+serveSite(t)+"/strict") // the page's policy does not bind the driver
	remote.CheckEvaluate(t, patience, "Unexpected token", page.eval)
}

// Close and a failed launch leave no home folder.
func TestNothingIsLeft(t *testing.T) {
	fake := func(script string) string {
		name := filepath.Join(t.TempDir(), "fake")
		if err := os.WriteFile(name, []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		return name
	}
	for _, test := range []struct{ program, err string }{
		{program: ""},
		{fake("echo no library; exit 3"), "no library"},
		{fake("exec sleep 1000"), "does not listen"},
	} {
		t.Run(test.err, func(t *testing.T) {
			t.Setenv(programs.WebKitDriverEnv, test.program)
			t.Setenv("TMPDIR", t.TempDir())
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			if test.err == "does not listen" {
				ctx, cancel = context.WithTimeout(t.Context(), time.Second)
			}
			defer cancel()
			b, err := Launch(ctx)
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), test.err) || !strings.Contains(err.Error(), test.program) {
					t.Errorf("got %v, want %q", err, test.err)
				}
			} else if err != nil {
				t.Fatal(err)
			} else {
				s := b.spare
				if err := b.Close(); err != nil {
					t.Error(err)
				}
				if err := s.call(t.Context(), "GET", "/url", nil, nil); err == nil {
					t.Error("it still answers")
				}
			}
			if left, err := fs.Glob(os.DirFS(os.TempDir()), "*"); err != nil || len(left) > 0 {
				t.Errorf("left: %q, %v", left, err)
			}
		})
	}
}
