package execute

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/canary"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// Isolated code runs in a frame without an origin, or in a worker of that frame.

// isolatedRows have the same outcome in both contexts.
var isolatedRows = []executeRow{
	{name: "function", code: `export default ({ a, b }) => a + b`, args: `{"a": 2, "b": 3}`, result: `5`},
	{name: "async", code: `export default async (n) => { await new Promise((r) => setTimeout(r, 1)); return n * 2 }`, args: `21`, result: `42`},
	{name: "nothing", code: `const a = 1`, result: `null`, types: `{"":"undefined"}`},
	{name: "types", code: `export default { n: NaN, d: new Date(0), m: new Map([['k', new Set([1])]]) }`,
		result: `{"n":null,"d":"1970-01-01T00:00:00.000Z","m":[["k",[1]]]}`, types: `{"/n":"NaN","/d":"Date","/m":"Map","/m/0/1":"Set"}`},
	{name: "throw", code: `export default () => { throw new RangeError('on purpose') }`, failure: protocol.FailureThrew, says: "on purpose"},
	{name: "throw at once", code: `throw new TypeError('at once')`, failure: protocol.FailureThrew, says: "at once"},
	{name: "reject", code: `export default () => Promise.reject(new Error('rejected'))`, failure: protocol.FailureThrew, says: "rejected"},
	{name: "syntax error", code: `export default (`, failure: protocol.FailureThrew, says: "SyntaxError"},
	{name: "function as result", code: `export default () => ({ f: () => 1 })`, failure: protocol.FailureUnserializable, says: "/f is a function"},
	{name: "too large", code: `export default 'x'.repeat(3e6)`, failure: protocol.FailureResultTooLarge, says: "larger than"},
	{name: "console", code: `console.log('one', { two: 2 })`, result: `null`, types: `{"":"undefined"}`, console: "log one {two: 2}\n"},
	{name: "no origin", code: `export default self.origin`, result: `"null"`},
	{name: "no storage", code: `export default ['localStorage', 'sessionStorage', 'indexedDB', 'caches', 'cookieStore'].filter((name) => name in globalThis)`, result: `[]`},
	{name: "no network", code: `export default ['fetch', 'XMLHttpRequest', 'EventSource', 'WebSocket', 'WebTransport', 'RTCPeerConnection'].filter((name) => name in globalThis)`, result: `[]`},
	{name: "no files", code: `export default () => import('/lib/double.mjs')`, failure: protocol.FailureThrew},
	{name: "patched", code: `globalThis.structuredClone = () => { throw 0 }; Object.prototype.toJSON = () => 'forged'
export default { a: 1 }`, result: `{"a":1}`},
}

func TestIsolatedExecution(t *testing.T) {
	t.Parallel()
	for name, open := range glass.Engines {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := glass.Start(t)
			sandbox := g.NewSandbox(t, executeFiles, glass.AllScripts)
			page := open(t, sandbox.HostURL())
			for _, where := range []server.ExecutionContext{server.ContextWorker, server.ContextFrame} {
				for _, row := range isolatedRows {
					t.Run(fmt.Sprint(where, "/", row.name), func(t *testing.T) {
						row.runAs(t, sandbox, server.Execution{Context: where, Capabilities: []string{}})
					})
				}
			}
			var frames int
			page.Eval(t, `document.querySelector('iframe').contentWindow.length`, &frames)
			if frames != 1 {
				t.Errorf("the outer frame has %d frames after the calls, want the view alone", frames)
			}
		})
	}
}

// capabilityRows say what the capabilities open, as only the canary sees it.
var capabilityRows = []struct {
	name         string
	capabilities []string // ALLOWED, OTHER, and SOCKET stand for origins
	reached      string
}{
	{"none", []string{}, ""},
	{"fetch", []string{"network:fetch"}, "allowed path"},
	{"cross-origin", []string{"network:fetch:cross-origin"}, "allowed path"},
	{"one origin", []string{"network:fetch:ALLOWED"}, "allowed path"},
	{"an origin that the policy blocks", []string{"network:fetch:OTHER"}, ""},
	{"WebSockets", []string{"network:websocket"}, "socket"},
	{"WebSockets of one origin", []string{"network:websocket:SOCKET"}, "socket"},
	{"WebSockets of another", []string{"network:websocket:ws://localhost"}, ""},
	{"both", []string{"network:fetch:ALLOWED", "network:websocket:SOCKET"}, "allowed path, socket"},
}

func TestCapabilitiesOfExecutions(t *testing.T) {
	t.Parallel()
	for engine, open := range glass.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			g := glass.Start(t)
			c := canary.Start(t)
			allowed, other := fmt.Sprintf("http://127.0.0.1:%d", c.Port()), fmt.Sprintf("http://localhost:%d", c.Port())
			socket := strings.Replace(allowed, "http:", "ws:", 1)
			secure := strings.Replace(allowed, "http:", "https:", 1)
			// Only the worker can enforce the second rule, because it names methods.
			sandbox := g.NewSandbox(t, executeFiles, fmt.Sprintf("version: 1\nscripts: [eval]\nrules:\n  - allow: [%q, %q]\n    types: [fetch]\n  - allow: [%q]\n    methods: [GET]\n  - allow: [%q, %q]\n", allowed, secure, other, socket, strings.Replace(socket, "ws:", "wss:", 1)))
			open(t, sandbox.HostURL())
			for _, where := range []server.ExecutionContext{server.ContextWorker, server.ContextFrame} {
				for i, row := range capabilityRows {
					t.Run(fmt.Sprint(where, "/", row.name), func(t *testing.T) {
						var capabilities = []string{}
						for _, name := range row.capabilities {
							capabilities = append(capabilities, strings.NewReplacer("ALLOWED", allowed, "OTHER", other, "SOCKET", socket).Replace(name))
						}
						token := func(name string) string { return fmt.Sprintf("%s-%s-%d", name, where, i) }
						args, err := json.Marshal([]string{c.URL(token("allowed"), "x.json"), c.URLAt("localhost", token("other"), "x.json"), c.WebSocketURL(token("socket"))})
						if err != nil {
							t.Fatal(err)
						}
						got := execute(t, sandbox, server.Execution{Context: where, Capabilities: capabilities, Args: args, Code: `export default async ([...urls]) => {
	const to = urls.pop()
	const reached = []
	for (const url of urls) {
		const tries = [() => fetch(url), () => new Promise((resolve, reject) => { const i = new Image(); i.onload = resolve; i.onerror = reject; i.src = url }),
			() => import(url), () => { const f = document.body.appendChild(document.createElement('iframe')); return f.contentWindow.fetch(url) }]
		for (const attempt of tries) try { await attempt(); reached.push(url) } catch {}
	}
	await new Promise((resolve) => { try { const s = new WebSocket(to); s.onopen = s.onerror = resolve } catch { resolve() } })
	return reached.length
}`})
						if got.Error != nil {
							t.Fatalf("it failed: %+v", got.Error)
						}
						var reached []string
						if len(c.Hits(token("allowed"))) > 0 {
							reached = append(reached, "allowed path")
						}
						if len(c.Hits(token("other"))) > 0 {
							reached = append(reached, "other")
						}
						if len(c.Hits(token("socket"))) > 0 {
							reached = append(reached, "socket")
						}
						if strings.Join(reached, ", ") != row.reached {
							t.Errorf("it reached %q, want %q", reached, row.reached)
						}
					})
				}
			}
		})
	}
}

// Isolated code that navigates its frame to a file of the sandbox does not get the sandbox's
// whole policy that way. A view with that file as its entry does.
func TestIsolatedCodeCannotLeave(t *testing.T) {
	t.Parallel()
	for engine, open := range glass.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			g := glass.Start(t)
			c := canary.Start(t)
			page := `<!doctype html><title>Entry</title><script>fetch(decodeURIComponent(location.hash.slice(1)) || ` + glass.Literal(t, c.URL("view", "x.json")) + `)</script>`
			sandbox := g.NewSandbox(t, map[string]string{"/index.html": page}, fmt.Sprintf("version: 1\nscripts: [inline]\nrules: [{allow: ['http://127.0.0.1:%[1]d', 'https://127.0.0.1:%[1]d']}]\n", c.Port()))
			open(t, sandbox.HostURL())
			for _, to := range []string{"/index.html", "/", "/.bellglass/boot", "/.bellglass/run"} {
				args, err := json.Marshal([]string{to, c.URL("isolated", "x.json")})
				if err != nil {
					t.Fatal(err)
				}
				got := execute(t, sandbox, server.Execution{Context: server.ContextFrame, Args: args, Code: `export default ([to, url]) => {
	location.href = location.origin + to + '#' + encodeURIComponent(url)
	return new Promise(() => {})
}`})
				if got.Error == nil || got.Error.Code != protocol.FailureViewFailed || !strings.Contains(got.Error.Message, "navigation") {
					t.Errorf("leaving for %s gave the error %+v", to, got.Error)
				}
			}
			if len(c.Hits("view")) == 0 {
				t.Error("the view has not reached what the policy allows, so this shows nothing")
			}
			if hits := c.Hits("isolated"); len(hits) > 0 {
				t.Errorf("isolated code without a capability reached %+v", hits)
			}
		})
	}
}

// An endless loop ends at its timeout, and the next call works. In the frame context this
// holds only in Chromium, whose document gives an isolated frame a process of its own.
func TestIsolatedExecutionEnds(t *testing.T) {
	t.Parallel()
	for engine, open := range glass.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			g := glass.Start(t)
			sandbox := g.NewSandbox(t, executeFiles, glass.BlockAll)
			open(t, sandbox.HostURL())
			contexts := []server.ExecutionContext{server.ContextWorker}
			if engine == "Chromium" {
				contexts = append(contexts, server.ContextFrame)
			}
			for _, where := range contexts {
				got := execute(t, sandbox, server.Execution{Context: where, Capabilities: []string{}, Code: `console.log('begun'); for (;;) {}`, Timeout: 5 * time.Second})
				if got.Error == nil || got.Error.Code != protocol.FailureTimeout || len(got.Console) != 1 {
					t.Errorf("%s: an endless loop gave %+v", where, got)
				}
				for _, next := range []server.ExecutionContext{server.ContextWorker, server.ContextFrame} {
					if got := execute(t, sandbox, server.Execution{Context: next, Capabilities: []string{}, Code: `export default 'next'`}); string(got.Result) != `"next"` {
						t.Errorf("%s after %s gave %+v", next, where, got.Error)
					}
				}
			}
		})
	}
}
