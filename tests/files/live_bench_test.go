package files

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/glass"
	"github.com/bellglass/bellglass/vfs"
)

// The time until an open view has painted a change, in Chromium. docs/push.md has the figures.
//
//	go test ./tests/files -run '^$' -bench Live -benchtime 60x

// liveFiles report their number when they are painted. A style sheet's number is its z-index,
// which the document looks at in each frame. The
// plain server leaves import.meta.hot undefined.
func liveFiles(script, style, hot int) map[string][]byte {
	return map[string][]byte{
		"/index.html": []byte(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page</title><link rel="stylesheet" href="/style.css"></head><body><h1>Loading</h1><script type="module" src="/main.js"></script></body></html>`),
		"/style.css":  fmt.Appendf(nil, "h1 { color: teal; font: 3rem sans-serif; z-index: %d }", style),
		"/main.js": fmt.Appendf(nil, `import { word } from './word.js'
import './hot.js'
const heading = document.querySelector('h1')
heading.textContent = word + %d
const painted = (what) => requestAnimationFrame(() => requestAnimationFrame(() => top.postMessage(what, '*')))
painted('script %[1]d')
let last = getComputedStyle(heading).zIndex
const look = () => {
  const { zIndex } = getComputedStyle(heading)
  if (zIndex !== last) painted('style ' + zIndex)
  last = zIndex
  requestAnimationFrame(look)
}
look()
`, script),
		"/hot.js": fmt.Appendf(nil, `document.querySelector('h1').title = 'Hot %d'
requestAnimationFrame(() => requestAnimationFrame(() => top.postMessage('hot %[1]d', '*')))
import.meta.hot?.accept()
`, hot),
		"/word.js": []byte("export const word = 'Number '\n"),
	}
}

// livePage shows the sandbox in the element, beside a plain frame of another site and Sandpack's
// static client. The backend at /api passes requests to the HTTP API, with its token.
const livePage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Live</title><style>iframe, bellglass-sandbox { width: 600px; height: 300px }</style>
IMPORTS
<body><iframe id="plain" src="PLAIN"></iframe><iframe src="BARE"></iframe><bellglass-sandbox live-update src="OUTER"></bellglass-sandbox><iframe id="sandpack"></iframe>
<script type="module">
import { SandpackStatic } from '/sandpack.mjs'
import 'LIBRARY'
const arrived = new Set()
let look = () => {}
addEventListener('message', ({ data }) => {
  arrived.add(data)
  look()
})
const painted = (what) => new Promise((resolve) => {
  look = () => { if (arrived.delete(what)) resolve() }
  look()
})
const files = FILES
const client = painted('script 0').then(() => new SandpackStatic(sandpack, { files, template: 'static' }, { bundlerURL: location.origin.replace('localhost', 'preview.localhost') }))
const put = (path, text) => fetch(path, { method: 'PATCH', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ set: text }) }).then((response) => {
  if (!response.ok) throw new Error('the change was answered with ' + response.status)
})
const ways = {
  plain: async (file) => {
    await put('/plain', file)
    plain.src = plain.src
  },
  bare: (file) => put('/api/bare', file),
  bellglass: (file) => put('/api/v1/sandboxes/ID/files', file),
  sandpack: async (file) => {
    for (const path in file) files[path] = { code: file[path].text }
    ;(await client).updateSandbox({ files, template: 'static' })
  },
}
globalThis.change = async (way, path, text, what) => {
  await client
  // The frame before is complete, and so are the reports of the load before.
  await new Promise((resolve) => setTimeout(resolve, 300))
  arrived.clear()
  const begun = performance.now()
  const changed = ways[way]({ [path]: { text } })
  await painted(what)
  const took = performance.now() - begun
  await changed
  return [took, 0]
}
</script>`

// BenchmarkLive measures from before a change is sent until the view has painted it: of a
// script, of a style sheet, and of a module that accepts itself. Beside it, a plain frame is loaded
// again after each change of the script, and Sandpack's static client gets that change.
func BenchmarkLive(b *testing.B) {
	listeners := glass.Listen(b)
	origin := fmt.Sprintf("http://localhost:%d", listeners[0].Addr().(*net.TCPAddr).Port)
	g := glass.Start(b, func(c *server.Config) { c.Log, c.Embedders = glass.Quiet, []string{origin} })
	p := &pusher{b: b, Server: g}
	sandbox, err := g.Create(server.Spec{Files: p.snapshot(liveFiles(0, 0, 0)), Policy: glass.Parse(b, glass.AllScripts), Entry: "/index.html"})
	if err != nil {
		b.Fatal(err)
	}
	var plain atomic.Int64
	upstream, err := url.Parse(fmt.Sprintf("http://localhost:%d", g.Port))
	if err != nil {
		b.Fatal(err)
	}
	backend := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(upstream)
		for _, name := range []string{"Origin", "Referer", "Sec-Fetch-Site", "Sec-Fetch-Mode", "Sec-Fetch-Dest"} {
			r.Out.Header.Del(name)
		}
		r.Out.Header.Set("Authorization", "Bearer "+g.Token())
	}}
	bareBackend := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.Out.URL.Scheme, r.Out.URL.Host, r.Out.URL.Path = "http", listeners[0].Addr().String(), "/change"
	}}
	page := strings.NewReplacer("BARE", strings.Replace(origin, "localhost", "bare-outer.localhost", 1)+"/outer?first=/index.html", "PLAIN", strings.Replace(origin, "localhost", "plain.localhost", 1)+"/index.html", "OUTER", sandbox.OuterURL(), "LIBRARY", g.LibraryURL(), "ID", sandbox.ID(), "IMPORTS", sandpackImports, "FILES", sandpackFiles(b, liveFiles(0, 0, 0))).Replace(livePage)
	sandpack := newSandpack(b)
	var bareScript atomic.Int64
	bare := newBare(b, func() map[string][]byte { return liveFiles(int(bareScript.Load()), 0, 0) })
	glass.Serve(b, listeners, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-cache")
		content, isFile := liveFiles(int(plain.Load()), 0, 0)[r.URL.Path]
		switch {
		case bare.serves(r.Host):
			bare.ServeHTTP(w, r)
		case r.URL.Path == "/change":
			bareScript.Add(1)
			bare.changes()
		case r.URL.Path == "/api/bare":
			bareBackend.ServeHTTP(w, r)
		case strings.HasPrefix(r.Host, "plain.") && isFile:
			w.Header().Set("Content-Type", vfs.ContentType(r.URL.Path))
			w.Write(content)
		case r.URL.Path == "/plain":
			plain.Add(1)
		case strings.HasPrefix(r.URL.Path, "/api/"):
			backend.ServeHTTP(w, r)
		case r.URL.Path == "/live.html":
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, page)
		default:
			sandpack.ServeHTTP(w, r)
		}
	}))
	tab := glass.Unwatched(b).Open(b, origin+"/live.html")
	spent := map[string]time.Duration{}
	for round := 1; round <= b.N; round++ {
		for _, turn := range []struct{ name, way, path, what string }{
			{"plain", "plain", "/main.js", "script"},
			{"bellglass", "bellglass", "/main.js", "script"},
			{"bare", "bare", "/main.js", "script"},
			{"sandpack", "sandpack", "/main.js", "script"},
			{"styles", "bellglass", "/style.css", "style"},
			{"module", "bellglass", "/hot.js", "hot"},
		} {
			text := liveFiles(round, round, round)[turn.path]
			took, _ := glass.Measure(b, tab, fmt.Sprintf("change(%q, %q, %s, '%s %d')", turn.way, turn.path, glass.Literal(b, string(text)), turn.what, round))
			spent[turn.name] += took
		}
	}
	report(b, spent["bellglass"], spent["plain"])
	for _, what := range []string{"styles", "module"} {
		b.ReportMetric(float64(spent[what].Microseconds())/1_000/float64(b.N), "ms/"+what)
		b.ReportMetric(float64(spent[what])/float64(spent["plain"]), what+"-ratio")
	}
	b.ReportMetric(float64(spent["bare"].Microseconds())/1_000/float64(b.N), "ms/bare")
	b.ReportMetric(float64(spent["bellglass"])/float64(spent["bare"]), "of-bare")
	b.ReportMetric(float64(spent["bare"])/float64(spent["sandpack"]), "bare-of-sandpack")
	b.ReportMetric(float64(spent["sandpack"].Microseconds())/1_000/float64(b.N), "ms/sandpack")
	b.ReportMetric(float64(spent["bellglass"])/float64(spent["sandpack"]), "of-sandpack")
}
