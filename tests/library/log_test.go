package library

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// The worker of this page never becomes ready, since one of its imports never ends. Once the
// browser has asked for that, the page makes requests that are blocked.
var unreadyFiles = map[string]string{
	"/index.html": `<!doctype html><html lang="en"><meta charset="utf-8"><title>Unready</title><script type="module" src="/main.js"></script>`,
	"/worker.js":  `import 'SITE/ends.js'; import 'SITE/never.js'`,
	"/main.js": `globalThis.worker = new Worker('/worker.js', { type: 'module' })
await fetch('SITE/asked')
let blocked = 0
setInterval(() => fetch('SITE/blocked/' + blocked++).catch(() => {}), 100)`,
}

// A client that never becomes ready does not hold the lines of the log that come later.
func TestLogOutlastsUnreadyClient(t *testing.T) {
	t.Parallel()
	for engine, open := range glass.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			asked, over := make(chan struct{}), make(chan struct{})
			ask := sync.OnceFunc(func() { close(asked) })
			site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Access-Control-Allow-Origin", "*")
				w.Header().Set("Content-Type", "text/javascript")
				switch r.URL.Path {
				case "/never.js":
					ask()
					<-over
				case "/asked":
					<-asked
				}
				fmt.Fprint(w, "// ends")
			}))
			t.Cleanup(site.Close)
			t.Cleanup(func() { close(over) })
			files := map[string]string{}
			for path, text := range unreadyFiles {
				files[path] = strings.ReplaceAll(text, "SITE", site.URL)
			}
			g := glass.Start(t)
			policy := glass.AllScripts + fmt.Sprintf("rules:\n  - block: %s/blocked/*\n  - allow: %[1]s/*\n", site.URL)
			sandbox, err := g.Create(server.Spec{Files: g.Files(t, files), Policy: glass.Parse(t, policy), Keep: true})
			if err != nil {
				t.Fatal(err)
			}
			open(t, sandbox.HostURL())
			g.Log(t, sandbox, func(e glass.Logged) bool { return strings.HasSuffix(e.URL, "/blocked/10") })
		})
	}
}
