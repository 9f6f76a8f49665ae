package mcp

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/bellglass/bellglass/mcpapps"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// The time from ui/notifications/sandbox-resource-ready until an MCP App is painted, in
// Chromium, and before that from the frame's creation until the host may send the app.
// docs/push.md has the figures.
//
//	go test ./tests/mcp -run '^$' -bench MCPApp -benchtime 40x

// paintingApp is a document of 50 KB that reports when it is painted: in the frame after the
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

// appPaintPage measures in the host's page. A frame with srcdoc needs no proxy.
const appPaintPage = mcpHostPage + `<style>iframe { width: 600px; height: 400px }</style><script>
globalThis.take = async (proxy, html) => {
	const created = performance.now()
	if (proxy !== '') await mount('app', proxy, '{}')
	const begun = performance.now()
	if (proxy === '') {
		show('app', 'about:blank')
		frames.get('app').frame.srcdoc = html
	} else {
		run('app', { html, csp: {} })
	}
	await heard('app', ({ method }) => method === 'painted')
	return [performance.now() - begun, begun - created]
}
</script>`

func BenchmarkMCPApp(b *testing.B) {
	page, proxy := servePlainProxy(b, appPaintPage)
	g := glass.Start(b, func(c *server.Config) {
		c.Log, c.Embedders, c.MCPApps = glass.Quiet, []string{page}, &mcpapps.Options{}
	})
	ways := []struct{ name, proxy string }{{"bellglass", proxyOrigin(g)}, {"proxy", proxy}, {"srcdoc", ""}}
	spent, started := map[string]time.Duration{}, map[string]int{}
	for range b.N {
		for _, way := range ways {
			tab := glass.Unwatched(b).Open(b, page)
			took, start := glass.Measure(b, tab, fmt.Sprintf("take(%q, %s)", way.proxy, glass.Literal(b, paintingApp)))
			spent[way.name] += took
			started[way.name] += start
			tab.Close(b)
		}
	}
	b.ReportMetric(0, "ns/op")
	for _, way := range ways {
		b.ReportMetric(float64(spent[way.name].Microseconds())/1_000/float64(b.N), "ms/"+way.name)
		b.ReportMetric(float64(started[way.name])/float64(b.N), "ms-before/"+way.name)
	}
	b.ReportMetric(float64(spent["bellglass"])/float64(spent["proxy"]), "of-proxy")
}
