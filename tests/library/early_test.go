package library

import (
	"bytes"
	"maps"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// The view's frame precedes the script in the outer frame's page. If the rest of that page is slow,
// the boot page reports that it started before anything listens.
func TestBootPageStartsBeforeItsOuterFrame(t *testing.T) {
	t.Parallel()
	for name, open := range glass.Engines {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			started := make(chan struct{})
			starts := sync.OnceFunc(func() { close(started) })
			var held atomic.Bool
			front := func(h http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.URL.Path == protocol.WorkerPath {
						starts()
					}
					if r.Header.Get("Sec-Fetch-Dest") != "iframe" || r.URL.Path == protocol.BootPath {
						h.ServeHTTP(w, r)
						return
					}
					answer := httptest.NewRecorder()
					h.ServeHTTP(answer, r)
					maps.Copy(w.Header(), answer.Header())
					w.WriteHeader(answer.Code)
					page := answer.Body.Bytes()
					if at := bytes.Index(page, []byte(`<main id="cover"`)); at >= 0 {
						w.Write(page[:at])
						if err := http.NewResponseController(w).Flush(); err != nil {
							t.Error(err)
						}
						page = page[at:]
						held.Store(true)
						select {
						case <-started:
						case <-r.Context().Done():
						}
					}
					w.Write(page)
				})
			}
			v := openLiveBehind(t, front, open, glass.AllScripts, map[string]string{"/index.html": `<!doctype html><meta charset="utf-8"><title>Early</title><script src="/run.js"></script>`, "/run.js": runner + `globalThis.token = 'loaded'`})
			if got := v.eval(`asked('token')`); got != "loaded" {
				t.Errorf("the document says %q", got)
			}
			if !held.Load() {
				t.Error("the outer frame's page was not held back, so this test shows nothing")
			}
		})
	}
}
