package files

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/glass"
	"github.com/bellglass/bellglass/vfs"
)

// An upstream records the worker's requests for contents.
type upstream struct {
	mu    sync.Mutex
	asked []*asked
}

type asked struct {
	span  string // the Range header
	bytes int64  // bytes of the body that were sent
	cut   bool   // the worker did not wait for the end
	over  chan struct{}
}

func (u *upstream) front(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Bellglass-Content") == "" && !strings.HasPrefix(r.URL.Path, "/.bellglass/blob/") {
			next.ServeHTTP(w, r)
			return
		}
		a := &asked{span: r.Header.Get("Range"), over: make(chan struct{})}
		u.mu.Lock()
		u.asked = append(u.asked, a)
		u.mu.Unlock()
		defer func() {
			a.cut = r.Context().Err() != nil
			close(a.over)
		}()
		next.ServeHTTP(countedWriter{w, a}, r)
	})
}

// since returns the requests after the first before ones, once they are over.
func (u *upstream) since(t testing.TB, before int) []*asked {
	t.Helper()
	u.mu.Lock()
	found := slices.Clone(u.asked[before:])
	u.mu.Unlock()
	ctx, cancel := context.WithTimeout(t.Context(), browser.Patience)
	defer cancel()
	for _, a := range found {
		select {
		case <-a.over:
		case <-ctx.Done():
			t.Fatal("a request of the worker's does not end")
		}
	}
	return found
}

func (u *upstream) count() int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return len(u.asked)
}

type countedWriter struct {
	http.ResponseWriter
	asked *asked
}

func (w countedWriter) Write(b []byte) (int, error) {
	n, err := w.ResponseWriter.Write(b)
	w.asked.bytes += int64(n) // read only when the handler is over
	return n, err
}

// Unwrap is for [http.ResponseController].
func (w countedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// A file of the maximum size passes through the worker as a stream: whole, in part, and only
// as far as it is read.
func TestLargeFilesAreStreamed(t *testing.T) {
	t.Parallel()
	content := make([]byte, vfs.DefaultLimits().FileSize)
	rand.NewChaCha8([32]byte{}).Read(content)
	sum := func(b []byte) string { h := sha256.Sum256(b); return hex.EncodeToString(h[:]) }
	const digest = `async (response) => Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', await response.arrayBuffer())), (b) => b.toString(16).padStart(2, '0')).join('')`
	for name, open := range map[string]func(*glass.Server, *server.Sandbox) func(testing.TB, string, any){
		"Chromium": func(g *glass.Server, sandbox *server.Sandbox) func(testing.TB, string, any) {
			return glass.InChromium(g.Open(t, "localhost", sandbox).Frame()).Eval
		},
		"Firefox": func(g *glass.Server, sandbox *server.Sandbox) func(testing.TB, string, any) {
			page := glass.Firefox(t).Open(t, fmt.Sprintf("http://localhost:%d/sandboxes/%s", g.Port, sandbox.ID()))
			var got [2]string
			if page.Eval(t, glass.Outcome, &got); got[0] != "ready" {
				t.Fatalf("the view is %s: %s", got[0], got[1])
			}
			return page.Frame(t, sandbox.URL()+"/index.html").Eval
		},
	} {
		t.Run(name, func(t *testing.T) {
			u := &upstream{}
			g := glass.StartBehind(t, u.front)
			files, err := g.Store().Snapshot(map[string][]byte{"/index.html": []byte("<!doctype html><title>Large</title>"), "/large.bin": content}, vfs.DefaultLimits())
			if err != nil {
				t.Fatal(err)
			}
			sandbox, err := g.Create(server.Spec{Name: t.Name(), Files: files, Policy: glass.Parse(t, glass.AllScripts), Entry: "/index.html"})
			if err != nil {
				t.Fatal(err)
			}
			ask := open(g, sandbox)

			var got struct {
				Status    int
				Sum, ETag string
				Length    int64
			}
			load := func(init string) []*asked {
				t.Helper()
				before := u.count()
				ask(t, fmt.Sprintf(`(async () => {
					const response = await fetch('/large.bin', %s), { status: Status, headers } = response
					return { Status, ETag: headers.get('etag'), Length: Number(headers.get('content-length')), Sum: await (%s)(response) }
				})()`, init, digest), &got)
				return u.since(t, before)
			}
			size := int64(len(content))
			if was := load(`{}`); got.Status != 200 || got.Length != size || got.Sum != sum(content) || len(was) != 1 || was[0].bytes != size || was[0].span != "" {
				t.Errorf("the whole: %+v, of %d requests", got, len(was))
			}
			etag := got.ETag
			if was := load(`{ headers: { Range: 'bytes=1000000-1999999' } }`); got.Status != 206 || got.ETag != etag || got.Sum != sum(content[1_000_000:2_000_000]) || len(was) != 1 || was[0].bytes != 1_000_000 {
				t.Errorf("a part: %+v, of %d requests", got, len(was))
			}
			if was := load(`{ method: 'HEAD' }`); got.Status != 200 || got.ETag != etag || got.Length != size || len(was) != 0 {
				t.Errorf("the head: %+v, of %d requests", got, len(was))
			}
			if was := load(fmt.Sprintf(`{ headers: { 'If-None-Match': '%s' } }`, etag)); got.Status != 304 || len(was) != 0 {
				t.Errorf("what the page has: %+v, of %d requests", got, len(was))
			}

			before := u.count()
			var first int
			ask(t, `(async () => {
				const reader = (await fetch('/large.bin')).body.getReader()
				const { value } = await reader.read()
				await reader.cancel()
				return value.length
			})()`, &first)
			was := u.since(t, before)
			if first == 0 || len(was) != 1 || !was[0].cut || was[0].bytes == size {
				t.Errorf("a reader went after %d bytes, and of the request was sent: %+v", first, was)
			}
		})
	}
}
