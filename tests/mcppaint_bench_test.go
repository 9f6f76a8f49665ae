package tests

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/bellglass/bellglass/mcpapps"
	"github.com/bellglass/bellglass/server"
)

// How long it takes from ui/notifications/sandbox-resource-ready until an MCP App is
// painted, in Chromium. docs/push.md has the figures.
//
//	go test ./tests -run '^$' -bench MCPApp -benchtime 40x

// paintingApp is a document of 50 KB that says when it is painted: in the frame after the
// one in which it was drawn.
var paintingApp = `<!doctype html><html lang="en"><meta charset="utf-8"><title>App</title><style>body { font: 16px sans-serif } td { padding: 2px 8px }</style><h1>Rows</h1><table id="rows"></table><script>
const rows = ` + "`" + strings.Repeat("some words of a row, 12345\n", 50<<10/27) + "`" + `
for (const row of rows.split('\n').slice(0, 100)) {
	const cell = document.createElement('td')
	cell.textContent = row
	document.querySelector('#rows').appendChild(document.createElement('tr')).append(cell)
}
requestAnimationFrame(() => requestAnimationFrame(() => parent.postMessage({ jsonrpc: '2.0', method: 'painted' }, '*')))
</script>`

// plainProxy does what the specification's reference proxy does: one frame, into which it
// writes the app, and a relay.
const plainProxy = `<!doctype html><meta charset="utf-8"><title>Proxy</title><style>html, body, iframe { margin: 0; width: 100%; height: 100%; border: 0 }</style><script>
const inner = document.createElement('iframe')
inner.sandbox = 'allow-scripts allow-same-origin allow-forms'
document.documentElement.append(inner)
addEventListener('message', ({ source, data }) => {
	if (source === inner.contentWindow) return parent.postMessage(data, '*')
	if (data.method !== 'ui/notifications/sandbox-resource-ready') return inner.contentWindow.postMessage(data, '*')
	const { contentDocument } = inner
	contentDocument.open()
	contentDocument.write(data.params.html)
	contentDocument.close()
})
parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-proxy-ready', params: {} }, '*')
</script>`

// appPaintPage measures in the host's page. A frame's srcdoc needs no proxy that is ready.
const appPaintPage = mcpHostPage + `<style>iframe { width: 600px; height: 400px }</style><script>
globalThis.take = async (proxy, html) => {
	if (proxy !== '') await mount('app', proxy, '{}')
	const begun = performance.now()
	if (proxy === '') {
		show('app', 'about:blank')
		frames.get('app').frame.srcdoc = html
	} else {
		run('app', { html, csp: {} })
	}
	await heard('app', ({ method }) => method === 'painted')
	return [performance.now() - begun, 1]
}
</script>`

func BenchmarkMCPApp(b *testing.B) {
	listeners := listenLoopback(b)
	port := listeners[0].Addr().(*net.TCPAddr).Port
	page := fmt.Sprintf("http://localhost:%d", port)
	serve(b, listeners, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if strings.HasPrefix(r.Host, "proxy.") {
			w.Header().Set("Content-Security-Policy", "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-src 'self'")
			fmt.Fprint(w, plainProxy)
		} else {
			fmt.Fprint(w, appPaintPage)
		}
	}))
	p := &pusher{b: b, glass: startGlass(b, func(c *server.Config) {
		c.Log, c.Embedders, c.MCPApps = quiet, []string{page}, &mcpapps.Options{}
	})}
	ways := []struct{ name, proxy string }{{"bellglass", p.proxy()}, {"proxy", fmt.Sprintf("http://proxy.localhost:%d", port)}, {"srcdoc", ""}}
	spent := map[string]time.Duration{}
	for range b.N {
		for _, way := range ways {
			tab := newPage(b)
			if _, err := tab.Goto(page); err != nil {
				b.Fatal(err)
			}
			took, _ := p.measured(tab, fmt.Sprintf("take(%q, %s)", way.proxy, literal(b, paintingApp)))
			spent[way.name] += took
			if err := tab.Context().Close(); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(0, "ns/op")
	for _, way := range ways {
		b.ReportMetric(float64(spent[way.name].Microseconds())/1_000/float64(b.N), "ms/"+way.name)
	}
	b.ReportMetric(float64(spent["bellglass"])/float64(spent["proxy"]), "of-proxy")
}
