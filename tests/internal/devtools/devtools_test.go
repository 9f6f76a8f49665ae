package devtools

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

	"github.com/bellglass/bellglass/tests/internal/chromium"
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

const framedPage = `<!doctype html><title>framed</title><script>
globalThis.before = [localStorage.length, navigator.serviceWorker.controller !== null]
localStorage.setItem('a', 'b')
globalThis.ready = (async () => {
  await navigator.serviceWorker.register('/worker.js')
  if (!navigator.serviceWorker.controller) await new Promise((go) => navigator.serviceWorker.addEventListener('controllerchange', go, { once: true }))
})()
</script>`

// worker reports which start of it answers.
const worker = `const start = String(Math.random())
addEventListener('activate', (e) => e.waitUntil(clients.claim()))
addEventListener('fetch', (e) => { if (new URL(e.request.url).pathname === '/start') e.respondWith(new Response(start)) })`

// serveSite serves a page with a frame of another site.
func serveSite(t *testing.T) (port string) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch r.URL.Path {
		case "/":
			fmt.Fprintf(w, `<!doctype html><title>host</title><iframe src="http://x.sandbox.localhost:%s/framed"></iframe>`, port)
		case "/framed":
			fmt.Fprint(w, framedPage)
		case "/strict":
			w.Header().Set("Content-Security-Policy", "default-src 'none'; sandbox")
		case "/worker.js":
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprint(w, worker)
		}
	}))
	t.Cleanup(site.Close)
	_, port, _ = strings.Cut(strings.TrimPrefix(site.URL, "http://"), ":")
	return port
}

func TestPagesAreApartAndWorkersAlone(t *testing.T) {
	port := serveSite(t)
	for range 2 {
		page := shared.Open(t, "http://localhost:"+port+"/")
		frame := page.Frame(t, "http://x.sandbox.localhost:"+port+"/framed")
		var before [2]any
		if frame.Eval(t, `before`, &before); before != [2]any{0., false} {
			t.Errorf("at first, entries in the storage and a worker: %v", before)
		}
		frame.Eval(t, `ready`, nil)
		var starts [3]string
		for i := range starts {
			if i == 2 {
				page.StopServiceWorkers(t)
			}
			frame.Eval(t, `fetch('/start').then((r) => r.text()) // code may end in a comment`, &starts[i])
		}
		if starts[0] == "" || starts[0] != starts[1] || starts[1] == starts[2] {
			t.Errorf("the worker's starts are %q; want two equal and another", starts)
		}
		var title string
		if page.Eval(t, `document.title`, &title); title != "host" {
			t.Errorf("the page is %q", title)
		}
		page.Navigate(t, "http://localhost:"+port+"/strict")
		page.Await(t, `location.pathname === '/strict' && document.readyState === 'complete'`)
	}
	var targets struct {
		TargetInfos []struct {
			Type     string
			Attached bool
		}
	}
	if err := shared.connection.Call(t.Context(), "Target.getTargets", remote.Object{}, &targets); err != nil {
		t.Fatal(err)
	}
	workers := 0
	for _, target := range targets.TargetInfos {
		if target.Type == "service_worker" {
			workers++
			if target.Attached {
				t.Error("DevTools are attached to a service worker")
			}
		}
	}
	if workers == 0 {
		t.Errorf("the browser shows no service worker: %+v", targets)
	}
}

func TestEval(t *testing.T) {
	page := shared.Open(t, "http://localhost:"+serveSite(t)+"/strict") // the page's policy does not bind the driver
	remote.CheckEvaluate(t, patience, "SyntaxError", page.eval)
}

// Close and a failed launch leave no profile.
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
		{fake("exec sleep 1000"), "did not say"},
	} {
		t.Run(test.err, func(t *testing.T) {
			t.Setenv(chromium.Env, test.program)
			// Not t.TempDir: Chromium creates no socket in a folder with a long name.
			folder, err := os.MkdirTemp("", "b")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { os.RemoveAll(folder) })
			t.Setenv("TMPDIR", folder)
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			if test.err == "did not say" {
				ctx, cancel = context.WithTimeout(t.Context(), 100*time.Millisecond)
			}
			defer cancel()
			b, err := Launch(ctx)
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), test.err) || !strings.Contains(err.Error(), test.program) {
					t.Errorf("got %v, want %q", err, test.err)
				}
			} else if err != nil {
				t.Fatal(err)
			} else if err := b.Close(); err != nil {
				t.Error(err)
			} else if err := b.connection.Call(t.Context(), "Browser.getVersion", remote.Object{}, nil); err == nil {
				t.Error("it still answers")
			}
			if left, err := fs.Glob(os.DirFS(os.TempDir()), "*"); err != nil || len(left) > 0 {
				t.Errorf("left: %q, %v", left, err)
			}
		})
	}
}
