package library

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// The outer frame finds out what the browser enforces while the view boots. A document that is there
// before that is known hears nothing of it: an MCP App would take the message for one of its host.
func TestDocumentsHearNothingOfTheProbe(t *testing.T) {
	t.Parallel()
	for name, open := range glass.Engines {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runs := make(chan struct{})
			reported := sync.OnceFunc(func() { close(runs) })
			front := func(h http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					switch {
					case r.URL.Path == protocol.ListedPath:
						select {
						case <-runs:
						case <-r.Context().Done():
						}
					case strings.HasSuffix(r.URL.Path, "/reports"):
						reported()
					}
					h.ServeHTTP(w, r)
				})
			}
			v := openLiveBehind(t, front, open, glass.AllScripts, map[string]string{
				"/index.html": `<!doctype html><html lang="en"><meta charset="utf-8"><title>Silent</title><script src="/run.js"></script>`,
				"/run.js": runner + `
	globalThis.told = []
	addEventListener('message', ({ source, data }) => { if (source === parent) told.push(JSON.stringify(data)) })
	console.log('runs')`,
			})
			if got := v.eval(`asked('told.join()')`); got != "" {
				t.Errorf("the document hears %s", got)
			}
		})
	}
}
