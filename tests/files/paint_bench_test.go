package files

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/glass"
	"github.com/bellglass/bellglass/vfs"
)

// The time until a user sees something, in Chromium. docs/push.md has the figures.
//
//	go test ./tests/files -run '^$' -bench Paint -benchtime 10x
//	go test ./tests/files -run '^$' -bench Asleep -benchtime 10x

// paintFiles report when they are painted: in the frame after the one in which the page was
// drawn.
var paintFiles = map[string][]byte{
	"/index.html": []byte(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page</title><link rel="stylesheet" href="/style.css"></head><body><h1>Loading</h1><script type="module" src="/main.js"></script></body></html>`),
	"/style.css":  []byte("h1 { color: teal; font: 3rem sans-serif }"),
	"/main.js":    []byte("import { word } from './word.js'\ndocument.querySelector('h1').textContent = word\nrequestAnimationFrame(() => requestAnimationFrame(() => top.postMessage('painted', '*')))\n"),
	"/word.js":    []byte("export const word = 'Hello'\n"),
}

// paintPage shows the same four files in each way. Sandpack's client is loaded before the
// timing starts.
const paintPage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>First paint</title><style>iframe, bellglass-sandbox { width: 600px; height: 300px }</style>
IMPORTS
<body><script type="module">
import { SandpackStatic } from '/sandpack.mjs'
import 'LIBRARY'
const files = FILES
const painted = () => new Promise((resolve, reject) => {
  addEventListener('message', (event) => event.data === 'painted' && resolve())
  setTimeout(() => reject(new Error('nothing was painted')), 60_000)
})
const frame = () => document.body.appendChild(document.createElement('iframe'))
const made = (path) => async () => { frame().src = await (await fetch(path, { method: 'POST', body: JSON.stringify(files) })).text() }
const ways = {
  plain: () => { frame().src = location.origin.replace('localhost', 'plain.localhost') + '/index.html' },
  bare: made('/bare'),
  unused: made('/unused'),
  bellglass: made('/create'),
  warm: async () => { await fetch('/fill', { method: 'POST', body: JSON.stringify(files) }) },
  sandpack: () => { new SandpackStatic(frame(), { files, template: 'static' }, { bundlerURL: location.origin.replace('localhost', 'preview.localhost') }) },
}
// What a way prepares before the timing starts.
const prepared = {
  warm: async () => {
    const element = document.createElement('bellglass-sandbox')
    element.src = await (await fetch('/warm', { method: 'POST' })).text()
    const warm = new Promise((resolve) => element.addEventListener('state', ({ detail }) => { if (detail.state === 'warm') resolve() }))
    document.body.append(element)
    await warm
  },
}
globalThis.show = async (way) => {
  await prepared[way]?.()
  const begun = performance.now()
  const done = painted()
  await ways[way]()
  await done
  return [performance.now() - begun, frames.length]
}
</script>`

func startPaint(b *testing.B) (url string) {
	b.Helper()
	listeners := glass.Listen(b)
	port := listeners[0].Addr().(*net.TCPAddr).Port
	url = fmt.Sprintf("http://localhost:%d", port)
	p := &pusher{b: b, Server: glass.Start(b, func(c *server.Config) { c.Log, c.Embedders = glass.Quiet, []string{url} })}
	page := strings.NewReplacer("IMPORTS", sandpackImports, "LIBRARY", p.LibraryURL(), "FILES", sandpackFiles(b, paintFiles)).Replace(paintPage)
	sandpack := newSandpack(b)
	bare := newBare(b, func() map[string][]byte { return paintFiles })
	bare.unused = p.workerScript()
	var warm *server.Sandbox
	glass.Serve(b, listeners, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-cache")
		content, isFile := paintFiles[r.URL.Path]
		switch {
		case bare.serves(r.Host):
			bare.ServeHTTP(w, r)
		case r.URL.Path == "/bare", r.URL.Path == "/unused":
			fmt.Fprint(w, strings.Replace(url, "localhost", r.URL.Path[1:]+"-outer.localhost", 1)+"/outer?first=/boot")
		case strings.HasPrefix(r.Host, "plain.") && isFile:
			w.Header().Set("Content-Type", vfs.ContentType(r.URL.Path))
			w.Write(content)
		case r.URL.Path == "/create":
			sandbox, err := p.Create(server.Spec{Files: p.snapshot(paintFiles), Policy: glass.Parse(b, "version: 1\n"), Entry: "/index.html"})
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			fmt.Fprint(w, sandbox.OuterURL())
		case r.URL.Path == "/warm":
			made, err := p.Warm(glass.Parse(b, "version: 1\n"), 1)
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			warm = made[0]
			fmt.Fprint(w, warm.OuterURL())
		case r.URL.Path == "/fill":
			if _, err := warm.Fill(server.Filling{Files: p.snapshot(paintFiles)}); err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
			}
		case r.URL.Path == "/page.html":
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, page)
		default:
			sandpack.ServeHTTP(w, r)
		}
	}))
	return url
}

// workerScript returns the script of a sandbox's worker.
func (p *pusher) workerScript() string {
	p.b.Helper()
	sandbox, err := p.Create(server.Spec{Files: p.snapshot(paintFiles), Policy: glass.Parse(p.b, "version: 1\n")})
	if err != nil {
		p.b.Fatal(err)
	}
	response := p.Request(p.b, "GET", sandbox.URL()+"/.bellglass/sw.js", "serviceworker", http.Header{"Service-Worker": {"script"}}, nil)
	if response.StatusCode != http.StatusOK {
		p.b.Fatalf("the server answered %s to the request for the worker's script", response.Status)
	}
	return glass.Body(p.b, response)
}

// BenchmarkPaint measures from before a sandbox is created until its page is painted, in a
// browser that has seen none of it before. It also measures from before a warm sandbox is filled.
// It measures Sandpack's static client, a plain frame, and the bare structure beside them, in turns.
func BenchmarkPaint(b *testing.B) {
	url := startPaint(b)
	spent := map[string]time.Duration{}
	for range b.N {
		for _, way := range []string{"plain", "bellglass", "bare", "unused", "warm", "sandpack"} {
			page := glass.Unwatched(b).Open(b, url+"/page.html")
			took, _ := glass.Measure(b, page, fmt.Sprintf("show('%s')", way))
			spent[way] += took
			page.Close(b)
		}
	}
	report(b, spent["bellglass"], spent["plain"])
	for _, way := range []string{"bare", "unused", "warm", "sandpack"} {
		b.ReportMetric(float64(spent[way].Microseconds())/1_000/float64(b.N), "ms/"+way)
	}
	b.ReportMetric(float64(spent["bare"])/float64(spent["plain"]), "bare-ratio")
	b.ReportMetric(float64(spent["unused"])/float64(spent["plain"]), "unused-ratio")
	b.ReportMetric(float64(spent["warm"])/float64(spent["sandpack"]), "warm-of-sandpack")
	b.ReportMetric(float64(spent["bellglass"])/float64(spent["sandpack"]), "of-sandpack")
}

// BenchmarkAsleep measures the first answer of a worker that was stopped, as the browser stops
// an idle one. It measures the answer of a server without a worker beside it.
func BenchmarkAsleep(b *testing.B) {
	p := newPusher(b, map[string][]byte{"/index.html": []byte(pushIndex), "/page.html": []byte(pushPage(0)), "/page.css": nil, "/page.js": []byte("1")})
	p.plain.serve = func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("1")) }
	frame, page := p.view.Frame(), p.plainPage()
	var ours, plain time.Duration
	for range b.N {
		browser.StopServiceWorkers(b, p.view.Page)
		woken, size := glass.Measure(b, glass.InChromium(frame), "read('/page.js')")
		theirs, same := glass.Measure(b, glass.InChromium(page), "read('/page.js')")
		if size != 1 || same != 1 {
			b.Fatalf("%d and %d bytes were read", size, same)
		}
		ours, plain = ours+woken, plain+theirs
	}
	report(b, ours, plain)
}
