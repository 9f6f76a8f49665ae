package tests

import (
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/mcpapps"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/canary"
)

// mcpHostPage is an MCP host in the fewest words. mount makes a view of an app and answers
// its proxy as the specification has it; each message of a frame is in its log.
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
	listeners := listenLoopback(t)
	serve(t, listeners, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, mcpHostPage)
	}))
	return fmt.Sprintf("http://localhost:%d", listeners[0].Addr().(*net.TCPAddr).Port)
}

// startMCPHost serves the host's page on an origin of its own, and a proxy that it may
// embed.
func startMCPHost(t *testing.T, adjust ...func(*server.Config)) (g *glass, page string) {
	t.Helper()
	origin := serveMCPHost(t)
	adjust = append([]func(*server.Config){func(c *server.Config) {
		c.Embedders, c.MCPApps = []string{origin}, &mcpapps.Options{}
	}}, adjust...)
	return startGlass(t, adjust...), origin + "/"
}

// proxy is the origin of the MCP Apps proxy.
func (g *glass) proxy() string { return fmt.Sprintf("http://sandbox.localhost:%d", g.port) }

// An app of the specification: it says hello, answers what it is told, and tries what it
// may not.
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

// A host runs an app by the words of the specification, and what they say to each other
// passes untouched.
func TestMCPApp(t *testing.T) {
	t.Parallel()
	for engine, open := range allEngines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			birds := canary.Start(t)
			g, host := startMCPHost(t)
			page := open(t, host)
			app := strings.NewReplacer("ALLOWED", literal(t, birds.URL("allowed", "x.json")), "REFUSED", literal(t, birds.URLAt("localhost", "refused", "x.json")), "PICTURE", literal(t, birds.URL("picture", "x.png"))).Replace(mcpApp)
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
			})()`, g.proxy(), literal(t, csp), literal(t, app), literal(t, csp)), &got)
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
				t.Errorf("the host is told the grants %s, want %s", got.Granted, want)
			}
			if got, want := strings.Join(got.Methods, " "), "ui/notifications/sandbox-proxy-ready notifications/message 7 undefined ui/initialize x"; got != want {
				t.Errorf("the host hears %q, want %q", got, want)
			}
		})
	}
}

// storageIn is what an app finds in its storage after it has put "1" there.
func storageIn(engine string) string {
	if workerlessEngines[engine] != nil {
		return "SecurityError"
	}
	return "1"
}

// hostileApp tries to say what only the host may say, and to reach what is not its own.
const hostileApp = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Hostile</title><body><script>
const tried = {}
const attempt = async (name, act) => { try { tried[name] = String(await act()) } catch (error) { tried[name] = 'threw ' + error.name } }
;(async () => {
	for (const target of [parent, top]) {
		for (const method of ['ui/notifications/sandbox-resource-ready', 'ui/notifications/sandbox-proxy-ready', 'ui/notifications/sandbox-other']) {
			target.postMessage({ jsonrpc: '2.0', method, params: { html: '<p>forged' } }, '*')
		}
	}
	await attempt('read the outer frame', () => parent.document.title)
	await attempt('rewrite the outer frame', () => { parent.document.body.innerHTML = 'mine' })
	await attempt('the address of the outer frame', () => parent.location.href)
	await attempt('frame another app', () => parent.parent[0].document.title)
	await attempt('storage', () => localStorage.getItem('secret'))
	await attempt('cookie', () => document.cookie)
	await attempt('keep', () => { localStorage.setItem('secret', 'of ' + NAME) })
	parent.postMessage({ jsonrpc: '2.0', method: 'tried', params: tried }, '*')
})()
addEventListener('message', ({ data }) => {
	if (data.method !== 'leave') return
	Event.prototype.preventDefault = () => {} // the client script would keep the page
	location.href = data.params
})
</script>`

// Two hostile apps in one page, a third window, and a host that says everything twice.
func TestMCPAppCannotSpeakForItsHost(t *testing.T) {
	t.Parallel()
	for engine, open := range allEngines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			birds := canary.Start(t)
			g, host := startMCPHost(t)
			page := open(t, host)
			var got struct {
				Tried, Other map[string]string
				Said, Left   string
				Methods      map[string]int
			}
			app := func(name string) string { return literal(t, strings.Replace(hostileApp, "NAME", literal(t, name), 1)) }
			page.Eval(t, fmt.Sprintf(`(async () => {
				const third = document.body.appendChild(document.createElement('iframe')).contentWindow
				const told = ({ method, params }) => method === 'notifications/message' && params.level === 'warning'
				await mount('a', %[1]q, '{}')
				// A third window sends the resource first. The proxy ignores it.
				third.target = frames.get('a').frame.contentWindow
				third.eval("target.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-resource-ready', params: { html: '<script>parent.postMessage({ method: \\'third\\' }, \\'*\\')<\\/script>' } }, '*')")
				run('a', { html: %[2]s })
				const { params: tried } = await heard('a', ({ method }) => method === 'tried')
				run('a', { html: '<script>parent.postMessage({ method: "second" }, "*")<' + '/script>' })
				const { params: { data: said } } = await heard('a', told)
				await mount('b', %[1]q, '{}')
				run('b', { html: %[3]s })
				const { params: other } = await heard('b', ({ method }) => method === 'tried')
				const methods = {}
				for (const { method = 'no method' } of [...frames.get('a').log, ...frames.get('b').log]) methods[method] = (methods[method] ?? 0) + 1
				post('a', { jsonrpc: '2.0', method: 'leave', params: %[4]q })
				const { blockedUri, directive, source } = await heard('a', ({ type }) => type === 'mcp-apps:csp-violation')
				const { params: { data: why } } = await heard('a', ({ method, params }) => method === 'notifications/message' && params.data !== said && typeof params.data === 'string')
				return { tried, other, said, methods, left: [new URL(blockedUri).origin, directive, source, why].join(' ') }
			})()`, g.proxy(), app("a"), app("b"), birds.URL("left", "x.html")), &got)
			for name, result := range got.Tried {
				want := "threw SecurityError"
				switch {
				case name == "cookie":
					want = ""
				case workerlessEngines[engine] != nil:
				case name == "storage":
					want = "null"
				case name == "keep":
					want = "undefined"
				}
				if result != want {
					t.Errorf("%s: %s, want %s", name, result, want)
				}
			}
			if got.Other["storage"] != got.Tried["storage"] {
				t.Errorf("another app reads %q", got.Other["storage"])
			}
			if !strings.Contains(got.Said, "has its app already") {
				t.Errorf("of a second resource the host is told %q", got.Said)
			}
			want := map[string]int{"ui/notifications/sandbox-proxy-ready": 2, "tried": 2, "notifications/message": 3}
			if fmt.Sprint(got.Methods) != fmt.Sprint(want) {
				t.Errorf("the host hears %v, want %v", got.Methods, want)
			}
			// The first app has tried to leave: its frame ends, and the host hears why.
			if want := fmt.Sprintf("http://127.0.0.1:%d frame-src outer The sandbox tried to navigate to ", birds.Port()); !strings.HasPrefix(got.Left, want) {
				t.Errorf("of an app that leaves the host hears %q, want %q", got.Left, want)
			}
			if hits := birds.Hits("left"); len(hits) > 0 {
				t.Errorf("the app has left: %+v", hits)
			}
		})
	}
}

// A page shows 50 apps at once, each on an origin of its own.
func TestManyMCPApps(t *testing.T) {
	t.Parallel()
	const count = 50
	g, host := startMCPHost(t)
	var origins []string
	openChromium(t, host).Eval(t, fmt.Sprintf(`Promise.all(Array.from({ length: %d }, async (_, i) => {
		const name = 'app' + i
		await mount(name, %q, '{}')
		run(name, { html: '<!doctype html><title>App</title><script>parent.postMessage({ method: "hello", params: location.origin }, "*")<' + '/script>' })
		return (await heard(name, ({ method }) => method === 'hello')).params
	}))`, count, g.proxy()), &origins)
	slices.Sort(origins)
	if distinct := len(slices.Compact(origins)); distinct != count {
		t.Errorf("%d apps have %d origins", count, distinct)
	}
}

// A host that sends a broken declaration, or nothing to run, or nothing, hears why there is
// nothing to see, and so does the person before it.
func TestMCPAppThatDoesNotRun(t *testing.T) {
	t.Parallel()
	g, host := startMCPHost(t)
	full, fullHost := startMCPHost(t, func(c *server.Config) { c.MCPApps = operatorsRules("containment: full\nrules: []\n") })
	page := newPage(t)
	if err := page.Clock().Install(); err != nil {
		t.Fatal(err)
	}
	if _, err := page.Goto(host); err != nil {
		t.Fatal(err)
	}
	const told = "({ method }) => method === 'notifications/message'"
	var said string
	chromiumPage{page}.Eval(t, fmt.Sprintf(`(async () => {
		mount('broken', %[1]q, '[]')
		await mount('empty', %[1]q, '{}')
		await mount('silent', %[1]q, '{}')
		run('empty', { html: '' })
		return (await heard('empty', %[2]s)).params.data
	})()`, g.proxy(), told), &said)
	if !strings.Contains(said, "is empty") {
		t.Errorf("of an empty resource the host is told %q", said)
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
	chromiumPage{page}.Eval(t, fmt.Sprintf(`heard('silent', %s).then(({ params }) => params.data)`, told), &said)
	if !strings.Contains(said, "no ui/notifications/sandbox-resource-ready") {
		t.Errorf("a host that sends nothing is told %q", said)
	}

	// What cannot start says so before anybody has spoken.
	var failed string
	openChromium(t, fullHost).Eval(t, fmt.Sprintf(`(async () => {
		mount('full', %q, '{}')
		return (await heard('full', %s)).params.data
	})()`, full.proxy(), told), &failed)
	if !strings.Contains(failed, "containment") {
		t.Errorf("of an app that cannot start the host is told %q", failed)
	}
}

// operatorsRules bound every app. text is what follows in the policy file.
func operatorsRules(text string) *mcpapps.Options {
	return &mcpapps.Options{Rules: "operator.yaml", Open: func(string) ([]byte, error) {
		return []byte("version: 1\nceiling: true\nscripts: [inline]\n" + text), nil
	}}
}
