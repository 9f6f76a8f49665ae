package mcp

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/mcpapps"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/canary"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// allEngines are the engines with a worker, and those without.
var allEngines = func() map[string]func(*testing.T, string) glass.Page {
	all := maps.Clone(glass.Engines)
	maps.Copy(all, glass.WorkerlessEngines)
	return all
}()

// mcpHostPage is a minimal MCP host. mount makes a view of an app and answers its proxy as the
// specification says. The log of a frame has each of its messages.
const mcpHostPage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>MCP host</title><body><script>
const frames = new Map()
addEventListener('message', ({ source, origin, data }) => {
	for (const app of frames.values()) {
		if (source !== app.frame.contentWindow) continue
		app.log.push(data)
		app.origin = origin
		for (const look of app.waiting) look()
	}
})
globalThis.show = (name, src) => {
	const frame = document.createElement('iframe')
	frame.sandbox = 'allow-scripts allow-same-origin allow-forms'
	frame.allow = 'camera; microphone; geolocation; clipboard-write'
	frames.set(name, { frame, log: [], waiting: new Set() })
	frame.src = src
	document.body.append(frame)
}
globalThis.mount = (name, proxy, query, domain) => {
	const parameters = new URLSearchParams(Object.entries({ csp: query, domain }).filter(([, value]) => value !== undefined))
	show(name, proxy + '/sandbox.html?' + parameters)
	return heard(name, ({ method }) => method === 'ui/notifications/sandbox-proxy-ready')
}
globalThis.unmount = (name) => frames.get(name).frame.remove()
globalThis.heard = (name, test) => new Promise((resolve) => {
	const app = frames.get(name)
	const look = () => {
		const found = app.log.find(test)
		if (found === undefined) return
		app.waiting.delete(look)
		resolve(found)
	}
	app.waiting.add(look)
	look()
})
globalThis.post = (name, message) => frames.get(name).frame.contentWindow.postMessage(message, frames.get(name).origin)
globalThis.run = (name, params) => post(name, { jsonrpc: '2.0', method: 'ui/notifications/sandbox-resource-ready', params })
</script>`

// serveMCPHost serves the host's page, and returns its origin.
func serveMCPHost(t *testing.T) string {
	t.Helper()
	return glass.ServePage(t, func(*http.Request) string { return mcpHostPage })
}

// startMCPHost serves the host's page on an origin of its own, and a proxy that the page may
// embed.
func startMCPHost(t *testing.T, adjust ...func(*server.Config)) (g *glass.Server, page string) {
	t.Helper()
	origin := serveMCPHost(t)
	adjust = append([]func(*server.Config){func(c *server.Config) {
		c.Embedders, c.MCPApps = []string{origin}, &mcpapps.Options{}
	}}, adjust...)
	return glass.Start(t, adjust...), origin + "/"
}

// proxyOrigin returns the origin of the MCP Apps proxy.
func proxyOrigin(g *glass.Server) string { return fmt.Sprintf("http://sandbox.localhost:%d", g.Port) }

// mcpApp is an app by the specification. It says hello, answers messages, and tries what it
// may not do.
const mcpApp = `<!doctype html><html lang="en"><meta charset="utf-8"><title>App</title><body><p id="app">The app</p><script>
addEventListener('message', ({ source, data }) => {
	if (source !== parent) return
	parent.postMessage({ jsonrpc: '2.0', id: data.id, result: { echo: data } }, '*')
})
const send = (message) => parent.postMessage(message, '*')
send({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-resource-ready', params: { html: 'forged' } })
send({ jsonrpc: '2.0', id: 7, result: {} })
send([{ jsonrpc: '2.0', method: 'one' }, { jsonrpc: '2.0', method: 'two' }])
const nested = document.body.appendChild(document.createElement('iframe'))
const script = nested.contentDocument.createElement('script')
script.textContent = "top.postMessage({ method: 'top' }, '*'); parent.parent.postMessage({ method: 'nested' }, '*'); parent.ran = true"
nested.contentDocument.body.append(script)
;(async () => {
	const reach = async (url) => { try { await fetch(url, { mode: 'no-cors' }); return 'reached' } catch { return 'refused' } }
	const kept = () => { try { localStorage.setItem('a', '1'); return localStorage.getItem('a') } catch ({ name }) { return name } }
	const image = (src) => new Promise((resolve) => { const i = new Image(); i.onload = () => resolve('reached'); i.onerror = () => resolve('refused'); i.src = src })
	send({ jsonrpc: '2.0', id: 1, method: 'ui/initialize', params: {
		origin: location.origin, secure: isSecureContext, allow: await reach(ALLOWED), refuse: await reach(REFUSED), own: await reach('/index.html'),
		image: await image(PICTURE), storage: kept(), base: document.baseURI, nested: ran,
	} })
})()
</script>`

// A host runs an app by the specification's messages. The messages between them pass
// unchanged.
func TestMCPApp(t *testing.T) {
	t.Parallel()
	for engine, open := range allEngines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			birds := canary.Start(t)
			g, host := startMCPHost(t)
			page := open(t, host)
			app := strings.NewReplacer("ALLOWED", glass.Literal(t, birds.URL("allowed", "x.json")), "REFUSED", glass.Literal(t, birds.URLAt("localhost", "refused", "x.json")), "PICTURE", glass.Literal(t, birds.URL("picture", "x.png"))).Replace(mcpApp)
			csp := fmt.Sprintf(`{"connectDomains": ["http://127.0.0.1:%d"]}`, birds.Port())
			var got struct {
				Params struct {
					Origin, Allow, Refuse, Own, Image, Storage, Base string
					Secure, Nested                                   bool
				}
				Echo, Array, Granted string
				Methods              []string
			}
			page.Eval(t, fmt.Sprintf(`(async () => {
				await mount('a', %q, %s)
				run('a', { html: %s, csp: JSON.parse(%s), permissions: { camera: {} } })
				const { params } = await heard('a', ({ method }) => method === 'ui/initialize')
				post('a', { jsonrpc: '2.0', id: 'x', method: 'ui/anything', params: { big: 'x'.repeat(5 << 20) } })
				const { result } = await heard('a', ({ id }) => id === 'x')
				const log = frames.get('a').log.filter(({ type }) => type !== 'mcp-apps:csp-violation')
				const [{ params: { logger, data: granted } }] = log.filter(({ method }) => method === 'notifications/message')
				return { params, granted: JSON.stringify([logger, granted]), echo: result.echo.method + ' ' + result.echo.params.big.length, array: JSON.stringify(log.find(Array.isArray)), methods: log.map(({ method, id }) => method ?? String(id)) }
			})()`, proxyOrigin(g), glass.Literal(t, csp), glass.Literal(t, app), glass.Literal(t, csp)), &got)
			p := got.Params
			if !strings.Contains(p.Origin, ".sandbox.localhost:") || p.Origin+"/" != p.Base || !p.Secure || !p.Nested || p.Storage != storageIn(engine) {
				t.Errorf("the app runs at %+v", p)
			}
			if p.Allow != "reached" || p.Refuse != "refused" || p.Own != "refused" || p.Image != "refused" {
				t.Errorf("what the app reaches: %+v", p)
			}
			if hits := birds.Hits("refused"); len(hits) > 0 {
				t.Errorf("got out: %+v", hits)
			}
			if want := fmt.Sprintf("ui/anything %d", 5<<20); got.Echo != want {
				t.Errorf("the app answers %q, want %q", got.Echo, want)
			}
			if want := `[{"jsonrpc":"2.0","method":"one"},{"jsonrpc":"2.0","method":"two"}]`; got.Array != want {
				t.Errorf("an array comes as %s", got.Array)
			}
			if want := fmt.Sprintf(`["bellglass",{"sandbox":{"csp":%s,"permissions":{"camera":{}}}}]`, strings.ReplaceAll(csp, " ", "")); got.Granted != want {
				t.Errorf("the host receives the grants %s, want %s", got.Granted, want)
			}
			if got, want := strings.Join(got.Methods, " "), "ui/notifications/sandbox-proxy-ready notifications/message 7 undefined ui/initialize x"; got != want {
				t.Errorf("the host hears %q, want %q", got, want)
			}
		})
	}
}

// storageIn returns what an app reads from its storage after it has stored "1" there.
func storageIn(engine string) string {
	if glass.WorkerlessEngines[engine] != nil {
		return "SecurityError"
	}
	return "1"
}

// A page shows 50 apps at once, each on an origin of its own. The test is not parallel: the
// apps keep two processors busy for 30 s, which is how long a boot page gives its outer frame.
// Beside other tests, some missed that deadline.
func TestManyMCPApps(t *testing.T) {
	const count = 50
	g, host := startMCPHost(t)
	var origins []string
	page := glass.OpenChromium(t, host)
	page.Eval(t, fmt.Sprintf(`Promise.all(Array.from({ length: %d }, async (_, i) => {
		const name = 'app' + i
		await mount(name, %q, '{}')
		run(name, { html: '<!doctype html><title>App</title><script>parent.postMessage({ method: "hello", params: location.origin }, "*")<' + '/script>' })
		return (await heard(name, ({ method }) => method === 'hello')).params
	}))`, count, proxyOrigin(g)), &origins)
	slices.Sort(origins)
	if distinct := len(slices.Compact(origins)); distinct != count {
		t.Errorf("%d apps have %d origins", count, distinct)
	}
	// No app asks for a permission, so its navigation began before the server had the app.
	// Nevertheless the host learned of the grants first.
	var heard []string
	page.Eval(t, `[...new Set([...frames.values()].map(({ log }) => log.map(({ method }) => method).join(', ')))]`, &heard)
	if want := "ui/notifications/sandbox-proxy-ready, notifications/message, hello"; len(heard) != 1 || heard[0] != want {
		t.Errorf("the host receives %q, want %q from each", heard, want)
	}
}

// If a host sends a broken declaration, or nothing to run, or nothing at all, it learns why
// there is nothing to see. The view tells the user, too.
func TestMCPAppThatDoesNotRun(t *testing.T) {
	t.Parallel()
	g, host := startMCPHost(t)
	full, fullHost := startMCPHost(t, func(c *server.Config) { c.MCPApps = operatorsRules("containment: full\nrules: []\n") })
	page := glass.NewPage(t)
	if err := page.Clock().Install(); err != nil {
		t.Fatal(err)
	}
	if _, err := page.Goto(host); err != nil {
		t.Fatal(err)
	}
	const told = "({ method }) => method === 'notifications/message'"
	var said string
	glass.InChromium(page).Eval(t, fmt.Sprintf(`(async () => {
		mount('broken', %[1]q, '[]')
		await mount('empty', %[1]q, '{}')
		await mount('silent', %[1]q, '{}')
		run('empty', { html: '' })
		return (await heard('empty', %[2]s)).params.data
	})()`, proxyOrigin(g), told), &said)
	if !strings.Contains(said, "is empty") {
		t.Errorf("for an empty resource the host receives %q", said)
	}
	frames := page.Locator("iframe")
	for i, row := range []struct{ code, text string }{{"bad-csp", "not a JSON object"}, {"app-refused", "is empty"}} {
		frame := frames.Nth(i).ContentFrame()
		if err := browser.Expect(frame.Locator("#code")).ToHaveText(row.code); err != nil {
			t.Error(err)
		}
		if err := browser.Expect(frame.Locator("#text")).ToContainText(row.text); err != nil {
			t.Error(err)
		}
	}
	if err := browser.Expect(frames.Nth(2).ContentFrame().Locator("#booting")).ToContainText("Waiting for the app"); err != nil {
		t.Error(err)
	}
	if err := page.Clock().FastForward(10_000); err != nil {
		t.Fatal(err)
	}
	glass.InChromium(page).Eval(t, fmt.Sprintf(`heard('silent', %s).then(({ params }) => params.data)`, told), &said)
	if !strings.Contains(said, "no ui/notifications/sandbox-resource-ready") {
		t.Errorf("a host that sends nothing receives %q", said)
	}

	// If the proxy cannot start, it says so before it gets any message.
	var failed string
	glass.OpenChromium(t, fullHost).Eval(t, fmt.Sprintf(`(async () => {
		mount('full', %q, '{}')
		return (await heard('full', %s)).params.data
	})()`, proxyOrigin(full), told), &failed)
	if !strings.Contains(failed, "containment") {
		t.Errorf("for an app that cannot start the host receives %q", failed)
	}
}

// Messages that a host sends before the proxy is ready are ignored, and the proxy tells the
// host so.
func TestMCPHostSpeaksTooSoon(t *testing.T) {
	t.Parallel()
	for engine, open := range glass.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			spoken := make(chan struct{})
			host := serveMCPHost(t)
			g := glass.StartBehind(t, func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.URL.Path == protocol.BootPath {
						select {
						case <-spoken:
						case <-r.Context().Done():
						}
					}
					next.ServeHTTP(w, r)
				})
			}, func(c *server.Config) { c.Embedders, c.MCPApps = []string{host}, &mcpapps.Options{} })
			page := open(t, host+"/")
			app := func(says string) string {
				return glass.Literal(t, fmt.Sprintf(`<!doctype html><title>App</title><script>
addEventListener('message', ({ data }) => parent.postMessage({ method: 'heard ' + data.method }, '*'))
parent.postMessage({ method: %q }, '*')
</script>`, says))
			}
			var told, methods string
			page.Eval(t, fmt.Sprintf(`(async () => {
				mount('a', %[1]q, '{}')
				frames.get('a').origin = %[1]q
				// A message to a page that has not loaded is lost.
				const again = setInterval(() => {
					post('a', { jsonrpc: '2.0', method: 'ui/too-soon' })
					run('a', { html: %[2]s })
				})
				const { params: { data } } = await heard('a', ({ method }) => method === 'notifications/message')
				clearInterval(again)
				return data
			})()`, proxyOrigin(g), app("too soon")), &told)
			close(spoken)
			page.Eval(t, fmt.Sprintf(`(async () => {
				await heard('a', ({ method }) => method === 'ui/notifications/sandbox-proxy-ready')
				run('a', { html: %s })
				await heard('a', ({ method }) => method === 'in time')
				post('a', { jsonrpc: '2.0', method: 'ui/in-time' })
				await heard('a', ({ method }) => method === 'heard ui/in-time')
				return [...new Set(frames.get('a').log.map(({ method }) => method))].join(', ')
			})()`, app("in time")), &methods)
			if !strings.Contains(told, "came before ui/notifications/sandbox-proxy-ready") {
				t.Errorf("the host receives %q", told)
			}
			if want := "notifications/message, ui/notifications/sandbox-proxy-ready, in time, heard ui/in-time"; methods != want {
				t.Errorf("the host hears %q, want %q", methods, want)
			}
		})
	}
}

// operatorsRules returns options with rules that bound every app. text is the rest of the
// policy file.
func operatorsRules(text string) *mcpapps.Options {
	return &mcpapps.Options{Rules: "operator.yaml", Open: func(string) ([]byte, error) {
		return []byte("version: 1\nceiling: true\nscripts: [inline]\n" + text), nil
	}}
}
