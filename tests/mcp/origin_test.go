package mcp

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/mcpapps"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// keepingApp reports where it runs, and what the previous app stored there.
const keepingApp = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Keeping</title><script>
const before = localStorage.getItem('kept') ?? 'nothing'
localStorage.setItem('kept', NAME)
parent.postMessage({ method: 'runs', params: { origin: location.origin, before } }, '*')
</script>`

// A host with a fixed address for its proxy passes a domain. The app then has the same origin
// in its next view and after a restart of the server, and finds what it stored. A second view
// at the same time, another domain, and another host have other origins.
func TestMCPAppKeepsItsOrigin(t *testing.T) {
	t.Parallel()
	for engine, open := range glass.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			hosts := []string{serveMCPHost(t), serveMCPHost(t)}
			fixed := glass.Listen(t)
			proxy := fmt.Sprintf("http://localhost:%d", fixed[0].Addr().(*net.TCPAddr).Port)
			var between glass.Line
			adjust := func(c *server.Config) {
				c.Embedders, c.MCPApps = hosts, &mcpapps.Options{}
				c.MCPPort, c.MCPKey = fixed[0].Addr().(*net.TCPAddr).Port, bytes.Repeat([]byte{7}, 32)
			}
			g := glass.StartBehind(t, func(next http.Handler) http.Handler {
				between.Connect(next)
				return &between
			}, adjust)
			glass.Serve(t, fixed, &between)
			t.Cleanup(func() { between.Connect(nil) }) // ends pending requests

			type app struct{ Origin, Before, Told string }
			// view runs an app by its name, and leaves it running.
			view := func(page glass.Page, name, domain string) (got app) {
				page.Eval(t, fmt.Sprintf(`(async () => {
					await mount(%[1]q, %[2]q, '{}', %[3]q)
					run(%[1]q, { html: %[4]s })
					const { params } = await heard(%[1]q, ({ method }) => method === 'runs')
					const told = frames.get(%[1]q).log.find(({ method, params }) => method === 'notifications/message' && params.level === 'warning')
					return { ...params, told: told?.params.data ?? '' }
				})()`, name, proxy, domain, glass.Literal(t, strings.Replace(keepingApp, "NAME", glass.Literal(t, name), 1))), &got)
				return got
			}
			gone := func(page glass.Page, name string) { page.Eval(t, fmt.Sprintf(`unmount(%q) ?? null`, name), new(any)) }

			page := open(t, hosts[0]+"/")
			first := view(page, "first", "weather")
			second := view(page, "second", "weather")
			gone(page, "first")
			third := view(page, "third", "weather")
			other := view(page, "other", "news")
			gone(page, "third")
			between.Connect(glass.New(t, g.Port, adjust))
			fourth := view(page, "fourth", "weather")
			gone(page, "fourth")
			foreign := view(open(t, hosts[1]+"/"), "foreign", "weather")

			kept := first.Origin
			for name, row := range map[string]struct {
				app
				same         bool
				before, told string
			}{
				"first":   {first, true, "nothing", ""},
				"second":  {second, false, "nothing", "another view of this app has it now"},
				"third":   {third, true, "first", ""},
				"other":   {other, false, "nothing", ""},
				"fourth":  {fourth, true, "third", ""},
				"foreign": {foreign, false, "nothing", ""},
			} {
				if (row.Origin == kept) != row.same || row.Before != row.before || !strings.Contains(row.Told, row.told) || (row.Told == "") != (row.told == "") {
					t.Errorf("%s: %+v, and the first is at %s", name, row.app, kept)
				}
			}
		})
	}
}

// If an app's origin is for one host, only that host can hand the app in. That holds even if
// another embedder's page shows the app's outer frame.
func TestAppIsOnlyForItsHost(t *testing.T) {
	t.Parallel()
	own, other := serveMCPHost(t), serveMCPHost(t)
	g := glass.Start(t, func(c *server.Config) {
		c.Embedders, c.MCPApps, c.MCPKey = []string{own, other}, &mcpapps.Options{}, bytes.Repeat([]byte{7}, 32)
	})
	// reserved makes a sandbox for an app of the own host.
	reserved := func(domain string) (outer string) {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, fmt.Sprintf("http://127.0.0.1:%d/?domain=%s", g.Port, domain), nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Host = fmt.Sprintf("sandbox.localhost:%d", g.Port)
		request.Header.Set("Sec-Fetch-Dest", "iframe")
		request.Header.Set("Referer", own+"/")
		response, err := http.DefaultTransport.RoundTrip(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		return proxyOrigin(g) + response.Header.Get("Location")
	}
	for domain, row := range map[string]struct{ host, selector, says string }{
		"refused": {other, "#text", "the origin of this app is for " + own},
		"runs":    {own, "#cover[data-state=ready]", ""},
	} {
		page := glass.NewPage(t)
		if _, err := page.Goto(row.host + "/"); err != nil {
			t.Fatal(err)
		}
		// The page's mount appends the proxy's path, which becomes a fragment here.
		glass.InChromium(page).Eval(t, fmt.Sprintf(`mount('a', %q + '#').then(() => run('a', { html: '<p>The app' }) ?? null)`, reserved(domain)), new(any))
		if err := browser.Expect(page.FrameLocator("iframe").Locator(row.selector)).ToContainText(row.says); err != nil {
			t.Error(err)
		}
	}
}

// A host that handed its app in beforehand frames one address, and talks to the app itself,
// without any message of a sandbox proxy. A page of another origin receives nothing.
func TestMCPAppInOneFrame(t *testing.T) {
	t.Parallel()
	for engine, open := range allEngines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			own, other := serveMCPHost(t), serveMCPHost(t)
			g := glass.Start(t, func(c *server.Config) { c.Embedders, c.MCPApps = []string{own, other}, &mcpapps.Options{} })
			app := mcpapps.Resource{HTML: `<!doctype html><html lang="en"><meta charset="utf-8"><title>App</title><script>
				addEventListener('message', ({ source, data }) => { if (source === parent) parent.postMessage({ jsonrpc: '2.0', id: data.id, result: data.method }, '*') })
				parent.postMessage({ jsonrpc: '2.0', id: 1, method: 'ui/initialize', params: location.origin }, '*')
				console.log('runs')
				</script>`}
			sandbox, _, err := g.CreateApp(t.Context(), server.AppSpec{Host: own, App: app})
			if err != nil {
				t.Fatal(err)
			}
			var heard []string
			say := fmt.Sprintf(`(async () => {
				show('a', %q)
				const asked = await heard('a', ({ method }) => method === 'ui/initialize')
				post('a', { jsonrpc: '2.0', id: 2, method: 'ui/anything' })
				const answered = await heard('a', ({ id }) => id === 2)
				return [asked.params, answered.result, ...frames.get('a').log.map(({ method }) => method ?? '')]
			})()`, sandbox.OuterURL())
			open(t, own+"/").Eval(t, say, &heard)
			if got, want := strings.Join(heard, " "), sandbox.URL()+" ui/anything ui/initialize "; got != want {
				t.Errorf("the host hears %q, want %q", got, want)
			}
			page := open(t, other+"/")
			page.Eval(t, fmt.Sprintf(`show('a', %q) ?? null`, sandbox.OuterURL()), new(any))
			// The app runs there, too, and sends its message before its line is in the log.
			ctx, cancel := context.WithTimeout(t.Context(), browser.Patience)
			defer cancel()
			lines := 0
			for event, err := range sandbox.Events(ctx, server.EventFilter{}, 0) {
				if err != nil {
					t.Fatal(err)
				}
				if _, is := event.(protocol.ConsoleEvent); is {
					lines++
				}
				if lines == 2 {
					break
				}
			}
			var others []any
			page.Eval(t, `frames.get('a').log`, &others)
			if len(others) > 0 {
				t.Errorf("another host hears %v", others)
			}
		})
	}
}
