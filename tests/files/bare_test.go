package files

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/tests/internal/glass"
	"github.com/bellglass/bellglass/vfs"
)

// bare has the structure of a sandbox, and nothing of Bellglass: a server makes it and changes it, a
// frame of one site hears of changes, and a frame of another site in it shows the files. So it
// shows how fast a sandbox could be at best. It serves two hosts at localhost, bare-outer and
// bare-inner. At unused-outer and unused-inner it serves the same, but the worker there also
// contains unused, which never runs.
type bare struct {
	b       *testing.B
	files   func() map[string][]byte
	changed chan struct{}
	unused  string
}

func newBare(b *testing.B, files func() map[string][]byte) *bare {
	return &bare{b: b, files: files, changed: make(chan struct{}, 1)}
}

// changes tells the outer frame that the files have changed.
func (s *bare) changes() { s.changed <- struct{}{} }

func (s *bare) serves(host string) bool {
	return strings.HasPrefix(host, "bare-") || strings.HasPrefix(host, "unused-")
}

func (s *bare) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	inner := "http://" + strings.Replace(r.Host, "outer", "inner", 1)
	content, isFile := s.files()[r.URL.Path]
	switch {
	case r.URL.Path == "/outer":
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!doctype html><html lang="en"><title>Outer</title><iframe style="width: 100%%; height: 100%%" src="%s%s"></iframe>
<script>const frame = document.querySelector('iframe'); new EventSource('/events').onmessage = () => { frame.src = frame.src }</script>`, inner, r.FormValue("first"))
	case r.URL.Path == "/events":
		w.Header().Set("Content-Type", "text/event-stream")
		for out := http.NewResponseController(w); out.Flush() == nil; {
			select {
			case <-s.changed:
				fmt.Fprint(w, "data: changed\n\n")
			case <-r.Context().Done():
				return
			}
		}
	case r.URL.Path == "/boot":
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><html lang="en"><title>Boot</title><script>
navigator.serviceWorker.addEventListener('controllerchange', () => location.replace('/index.html'))
navigator.serviceWorker.register('/sw.js')
</script>`)
	case r.URL.Path == "/sw.js":
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, s.worker())
		if strings.HasPrefix(r.Host, "unused-") {
			fmt.Fprintf(w, "function unused() {\n%s\n}\n", s.unused)
		}
	case isFile:
		w.Header().Set("Content-Type", vfs.ContentType(r.URL.Path))
		w.Write(content)
	default:
		http.NotFound(w, r)
	}
}

// worker returns a service worker that contains the files and serves them.
func (s *bare) worker() string {
	files := map[string][2]string{}
	for path, content := range s.files() {
		files[path] = [2]string{vfs.ContentType(path), string(content)}
	}
	return fmt.Sprintf(`const files = %s
addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(clients.claim()))
addEventListener('fetch', (event) => {
  const file = files[new URL(event.request.url).pathname]
  if (file !== undefined) event.respondWith(new Response(file[1], { headers: { 'Content-Type': file[0] } }))
})
`, glass.Literal(s.b, files))
}
