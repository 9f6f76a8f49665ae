package mcp

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/canary"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// hostileApp tries to send what only the host may send, and to reach what is not its own.
const hostileApp = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Hostile</title><body><script>
const tried = {}
const attempt = async (name, act) => { try { tried[name] = String(await act()) } catch (error) { tried[name] = 'threw ' + error.name } }
;(async () => {
	for (const target of [parent, top]) {
		for (const method of ['ui/notifications/sandbox-resource-ready', 'ui/notifications/sandbox-proxy-ready', 'ui/notifications/sandbox-other']) {
			target.postMessage({ jsonrpc: '2.0', method, params: { html: '<p>forged' } }, '*')
		}
	}
	const nested = document.body.appendChild(document.createElement('iframe')).contentDocument
	const script = nested.createElement('script')
	script.textContent = "parent.parent.postMessage({ method: 'nested' }, '*')"
	nested.body.append(script)
	await attempt('read the outer frame', () => parent.document.title)
	await attempt('rewrite the outer frame', () => { parent.document.body.title = 'mine'; return parent.document.body.title })
	await attempt('the address of the outer frame', () => parent.location.pathname)
	await attempt('frame another app', () => parent.parent[1].document.title)
	await attempt('storage', () => localStorage.getItem('secret'))
	await attempt('cookie', () => document.cookie)
	await attempt('keep', () => { localStorage.setItem('secret', 'of ' + NAME) })
	parent.postMessage({ jsonrpc: '2.0', method: 'tried', params: tried }, '*')
})()
addEventListener('message', ({ data }) => {
	if (data.method !== 'leave') return
	Event.prototype.preventDefault = () => {} // otherwise the client script keeps the page from leaving
	location.href = data.params
})
</script>`

// hostileApps are the results of two such apps in one page, with a third window, and a host
// that sends everything twice.
type hostileApps struct {
	Tried, Other map[string]string // the results of each app's attempts
	Said         string            // the second resource's message
	Methods      map[string]int    // messages that the host received, by method
}

func runHostileApps(t *testing.T, page glass.Page, proxy string) (got hostileApps) {
	app := func(name string) string {
		return glass.Literal(t, strings.Replace(hostileApp, "NAME", glass.Literal(t, name), 1))
	}
	page.Eval(t, fmt.Sprintf(`(async () => {
		const third = document.body.appendChild(document.createElement('iframe')).contentWindow
		await mount('a', %[1]q, '{}')
		// A third window sends the resource first.
		third.target = frames.get('a').frame.contentWindow
		third.eval("target.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-resource-ready', params: { html: '<script>parent.postMessage({ method: \\'third\\' }, \\'*\\')<\\/script>' } }, '*')")
		run('a', { html: %[2]s })
		const { params: tried } = await heard('a', ({ method }) => method === 'tried')
		run('a', { html: '<script>parent.postMessage({ method: "second" }, "*")<' + '/script>' })
		const second = ({ method, params }) => method === 'second' || method === 'notifications/message' && params.level === 'warning'
		const { params: { data: said } = { data: 'it runs' } } = await heard('a', second)
		await mount('b', %[1]q, '{}')
		run('b', { html: %[3]s })
		const { params: other } = await heard('b', ({ method }) => method === 'tried')
		const methods = {}
		for (const { method = 'no method' } of [...frames.get('a').log, ...frames.get('b').log]) methods[method] = (methods[method] ?? 0) + 1
		return { tried, other, said, methods }
	})()`, proxy, app("a"), app("b")), &got)
	return got
}

func TestMCPAppCannotSpeakForItsHost(t *testing.T) {
	t.Parallel()
	for engine, open := range allEngines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			birds := canary.Start(t)
			g, host := startMCPHost(t)
			page := open(t, host)
			got := runHostileApps(t, page, proxyOrigin(g))
			for name, result := range got.Tried {
				want := "threw SecurityError"
				switch {
				case name == "cookie":
					want = ""
				case glass.WorkerlessEngines[engine] != nil:
				case name == "storage":
					want = "null"
				case name == "keep":
					want = "undefined"
				}
				if result != want {
					t.Errorf("%s: %s, want %s", name, result, want)
				}
			}
			if fmt.Sprint(got.Other) != fmt.Sprint(got.Tried) {
				t.Errorf("beside it another app has achieved %v", got.Other)
			}
			if !strings.Contains(got.Said, "has its app already") {
				t.Errorf("for a second resource the host receives %q", got.Said)
			}
			want := map[string]int{"ui/notifications/sandbox-proxy-ready": 2, "tried": 2, "notifications/message": 3}
			if fmt.Sprint(got.Methods) != fmt.Sprint(want) {
				t.Errorf("the host hears %v, want %v", got.Methods, want)
			}
			// The second app tries to leave. Its frame ends, and the host learns why.
			var left string
			page.Eval(t, fmt.Sprintf(`(async () => {
				post('b', { jsonrpc: '2.0', method: 'leave', params: %q })
				const { blockedUri, directive, source } = await heard('b', ({ type }) => type === 'mcp-apps:csp-violation')
				const { params: { data: why } } = await heard('b', ({ method, params }) => method === 'notifications/message' && params.level === 'warning')
				return [new URL(blockedUri).origin, directive, source, why].join(' ')
			})()`, birds.URL("left", "x.html")), &left)
			if want := fmt.Sprintf("http://127.0.0.1:%d frame-src outer The sandbox tried to navigate to ", birds.Port()); !strings.HasPrefix(left, want) {
				t.Errorf("of an app that leaves the host hears %q, want %q", left, want)
			}
			if hits := birds.Hits("left"); len(hits) > 0 {
				t.Errorf("the app has left: %+v", hits)
			}
		})
	}
}

// The same apps in a minimal proxy by the specification: each attempt succeeds.
func TestMCPAppSpeaksForItsHostElsewhere(t *testing.T) {
	t.Parallel()
	for engine, open := range glass.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			birds := canary.Start(t)
			host, proxy := servePlainProxy(t, mcpHostPage)
			page := open(t, host+"/")
			got := runHostileApps(t, page, proxy)
			achieved := func(storage string) map[string]string {
				return map[string]string{
					"read the outer frame": "Proxy", "rewrite the outer frame": "mine", "the address of the outer frame": "/sandbox.html",
					"frame another app": "Proxy", "storage": storage, "cookie": "", "keep": "undefined",
				}
			}
			if fmt.Sprint(got.Tried) != fmt.Sprint(achieved("null")) || fmt.Sprint(got.Other) != fmt.Sprint(achieved("of a")) {
				t.Errorf("the apps have achieved %v and %v", got.Tried, got.Other)
			}
			if got.Said != "it runs" {
				t.Errorf("for a second resource the host receives %q", got.Said)
			}
			for _, method := range []string{"third", "nested", "ui/notifications/sandbox-resource-ready", "ui/notifications/sandbox-proxy-ready", "ui/notifications/sandbox-other"} {
				least := 1
				if method == "ui/notifications/sandbox-proxy-ready" {
					least = 3 // two are sent by the proxy
				}
				if got.Methods[method] < least {
					t.Errorf("the host hears no %s of the apps: %v", method, got.Methods)
				}
			}
			var posted bool
			page.Eval(t, fmt.Sprintf(`(post('b', { jsonrpc: '2.0', method: 'leave', params: %q }), true)`, birds.URL("left", "x.html")), &posted)
			ctx, cancel := context.WithTimeout(t.Context(), browser.Patience)
			defer cancel()
			if _, err := birds.Wait(ctx, "left"); err != nil {
				t.Errorf("the app has not left: %v", err)
			}
		})
	}
}

// plainProxy does the minimum that the specification requires: one frame at its own origin,
// into which it writes the app, and a relay. Its body has no height, because Chromium does not paint
// a frame below the visible part of the page.
const plainProxy = `<!doctype html><meta charset="utf-8"><title>Proxy</title><style>body { margin: 0 } html, iframe { width: 100%; height: 100%; border: 0 }</style><body><script>
const inner = document.createElement('iframe')
inner.sandbox = 'allow-scripts allow-same-origin allow-forms'
document.documentElement.append(inner)
addEventListener('message', ({ origin, data }) => {
	if (origin === location.origin) return parent.postMessage(data, '*')
	if (data.method !== 'ui/notifications/sandbox-resource-ready') return inner.contentWindow.postMessage(data, '*')
	const { contentDocument } = inner
	contentDocument.open()
	contentDocument.write(data.params.html)
	contentDocument.close()
})
parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-proxy-ready', params: {} }, '*')
</script>`

// servePlainProxy serves such a proxy and a host's page, each on an origin of its own.
func servePlainProxy(t testing.TB, page string) (host, proxy string) {
	t.Helper()
	listeners := glass.Listen(t)
	glass.Serve(t, listeners, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if strings.HasPrefix(r.Host, "proxy.") {
			w.Header().Set("Content-Security-Policy", "script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'none'")
			fmt.Fprint(w, plainProxy)
		} else {
			fmt.Fprint(w, page)
		}
	}))
	port := listeners[0].Addr().(*net.TCPAddr).Port
	return fmt.Sprintf("http://localhost:%d", port), fmt.Sprintf("http://proxy.localhost:%d", port)
}
