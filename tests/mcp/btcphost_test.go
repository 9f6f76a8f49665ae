package mcp

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"testing"

	"github.com/bellglass/bellglass/btcp"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/canary"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// btcpClientPage is a minimal BTCP client: it posts a message to the frame, and waits for the
// reply with the same ID.
const btcpClientPage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>BTCP client</title><body><script>
globalThis.heard = []
globalThis.waiting = new Set()
addEventListener('message', ({ source, origin, data }) => {
	if (source !== globalThis.frame?.contentWindow) return
	heard.push({ origin, data })
	for (const look of waiting) look()
})
globalThis.mount = (address) => new Promise((resolve) => {
	globalThis.frame = document.createElement('iframe')
	frame.onload = resolve
	frame.hidden = true
	frame.src = address
	document.body.append(frame)
})
globalThis.send = (message) => frame.contentWindow.postMessage(message, '*')
globalThis.answers = (id, count = 1) => new Promise((resolve) => {
	const look = () => {
		const found = heard.filter(({ data }) => data.id === id).map(({ data }) => data)
		if (found.length < count) return
		waiting.delete(look)
		resolve(found)
	}
	waiting.add(look)
	look()
})
globalThis.call = async (message) => {
	send(message)
	return (await answers(message.id))[0]
}
</script>`

// startBTCPClient serves the client's page on an origin of its own.
func startBTCPClient(t *testing.T, options btcp.Options) (g *glass.Server, page string) {
	t.Helper()
	listeners := glass.Listen(t)
	glass.Serve(t, listeners, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, btcpClientPage)
	}))
	origin := fmt.Sprintf("http://localhost:%d", listeners[0].Addr().(*net.TCPAddr).Port)
	return glass.Start(t, func(c *server.Config) { c.Embedders, c.BTCP = []string{origin}, &options }), origin + "/"
}

// A client that calls tools by postMessage gets the same answers as over HTTP.
func TestBTCPByMessages(t *testing.T) {
	t.Parallel()
	for engine, open := range glass.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			birds := canary.Start(t)
			origin := fmt.Sprintf("127.0.0.1:%d", birds.Port())
			g, client := startBTCPClient(t, btcp.Options{Policy: glass.Parse(t, fmt.Sprintf("version: 1\nscripts: [eval]\nrules: [{allow: ['http://%s', 'https://%s']}]\n", origin, origin))})
			page := open(t, client)
			page.Eval(t, fmt.Sprintf("mount(%q).then(() => 0)", g.ToolsURL()), new(int))
			for i, row := range toolRows(birds.URL("tool", "x.json")) {
				for where, want := range map[string]string{btcp.Worker: row.worker, btcp.Iframe: row.iframe} {
					t.Run(row.name+"/"+where, func(t *testing.T) {
						call := row.call
						call.ID, call.Type, call.Sandbox = json.RawMessage(fmt.Sprint(i)), "execute", where
						if where == btcp.Iframe {
							call.ID = json.RawMessage(fmt.Sprintf(`"%d"`, i))
						}
						message, err := json.Marshal(call)
						if err != nil {
							t.Fatal(err)
						}
						var reply json.RawMessage
						page.Eval(t, fmt.Sprintf("call(%s)", message), &reply)
						if !answers(string(reply), want) {
							t.Errorf("it gives %s, want %s", reply, want)
						}
					})
				}
			}
			if hits := birds.Hits("tool"); len(hits) != 2 {
				t.Errorf("the tools made %d requests, want one of each sandbox", len(hits))
			}
			var reply json.RawMessage
			page.Eval(t, `call({ id: 'loop', type: 'execute', toolCode: 'while (true) {}', timeout: 2000 })`, &reply)
			if !answers(string(reply), "TIMEOUT 2s") {
				t.Errorf("an endless loop gives %s", reply)
			}
			page.Eval(t, `call({ id: 'next', type: 'execute', toolCode: 'return 1' })`, &reply)
			if !answers(string(reply), "1") {
				t.Errorf("after it a call gives %s", reply)
			}
			var frames int
			page.Eval(t, `frame.contentWindow.length`, &frames)
			if frames != 1 {
				t.Errorf("the frame has %d frames after the calls, want the view alone", frames)
			}
		})
	}
}

// A message that is not a call of the client gets no answer, and a malformed call gets an
// error.
func TestBTCPMessagesOfOthers(t *testing.T) {
	t.Parallel()
	for engine, open := range glass.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			g, client := startBTCPClient(t, btcp.Options{})
			page := open(t, client)
			var got struct {
				Twice   []btcp.Reply
				Broken  btcp.Reply
				Unknown btcp.Reply
				Origin  string
				Heard   int
			}
			page.Eval(t, fmt.Sprintf(`(async () => {
				await mount(%q)
				// A third window with the client's own origin.
				const third = document.body.appendChild(document.createElement('iframe')).contentWindow
				third.target = frame.contentWindow
				third.eval("target.postMessage({ id: 'third', type: 'execute', toolCode: 'return 1' }, '*')")
				for (const message of [null, 1, 'execute', [], {}, { id: 'kind', kind: 'execute', toolCode: 'return 1' }, { id: 'result', type: 'result', result: 1 }]) send(message)
				// A tool that sends a client's message to the frame around it.
				await call({ id: 'tool', type: 'execute', sandbox: 'iframe', toolCode: "parent.postMessage({ id: 'forged', type: 'execute', toolCode: 'return 1' }, '*')" })
				const broken = await call({ id: 'broken', type: 'execute', toolCode: 'return 1', args: 1n })
				const unknown = await call({ id: 'unknown', type: 'execute', toolCode: 'return 1', more: 1 })
				send({ id: 'twice', type: 'execute', toolCode: 'return "a"' })
				send({ id: 'twice', type: 'execute', toolCode: 'return "a"' })
				const twice = await answers('twice', 2)
				await call({ id: 'last', type: 'execute', toolCode: 'return 1' })
				return { twice, broken, unknown, origin: heard[0].origin, heard: heard.length }
			})()`, g.ToolsURL()), &got)
			if got.Origin != proxyOrigin(g) {
				t.Errorf("the answers come from %s, want %s", got.Origin, proxyOrigin(g))
			}
			for _, reply := range got.Twice {
				if string(reply.Result) != `"a"` {
					t.Errorf("of two calls with one id one gives %+v", reply)
				}
			}
			for what, reply := range map[string]btcp.Reply{"no JSON": got.Broken, "an unknown field": got.Unknown} {
				if reply.Type != "error" || reply.Error == nil || reply.Error.Code != btcp.InvalidParams {
					t.Errorf("%s gives %+v", what, reply)
				}
			}
			if got.Heard != 6 {
				t.Errorf("the client hears %d messages, want the 6 answers to its own calls", got.Heard)
			}
		})
	}
}

// A tool can ask the client's page for what its capabilities name, and for nothing else.
func TestBTCPToolAsksItsClient(t *testing.T) {
	t.Parallel()
	for engine, open := range glass.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			g, client := startBTCPClient(t, btcp.Options{})
			page := open(t, client)
			page.Eval(t, fmt.Sprintf(`(async () => {
				globalThis.asked = []
				addEventListener('message', ({ source, data }) => {
					if (source !== frame.contentWindow || data.method === undefined) return
					asked.push(data.method)
					const { id, method, params } = data
					send(params.selector === 'wrong' ? { id, error: { message: 'no such element' } } : { id, result: [method, params] })
				})
				await mount(%q)
				return 0
			})()`, g.ToolsURL()), new(int))
			const title = `["dom.getTextContent",{"selector":"h1"}]`
			for i, row := range []struct{ name, capabilities, code, want string }{
				{"none", `[]`, `return Object.keys(btcp)`, `[]`},
				{"read", `["dom:read"]`, `return btcp.dom.getTextContent('h1')`, title},
				{"the specification's other name", `["dom:read"]`, `return btcp.parentDOM.querySelector('h1')`, `["dom.querySelector",{"selector":"h1"}]`},
				{"what read is", `["dom:read"]`, `return [Object.keys(btcp).sort(), Object.keys(btcp.dom).sort()]`, `[["dom","parentDOM"],["getTextContent","querySelector","querySelectorAll"]]`},
				{"write implies read", `["dom:write"]`, `return Promise.all([btcp.dom.getTextContent('h1'), btcp.dom.setTextContent('h1', 'x')])`, `[` + title + `,["dom.setTextContent",{"selector":"h1","value":"x"}]]`},
				{"storage", `["storage:local:write"]`, `return Promise.all([btcp.localStorage.getItem('k'), btcp.localStorage.setItem('k', 'v')])`, `[["storage.local.getItem",{"key":"k"}],["storage.local.setItem",{"key":"k","value":"v"}]]`},
				{"read storage", `["storage:local:read"]`, `return Object.keys(btcp.localStorage)`, `["getItem"]`},
				{"an error", `["dom:read"]`, `return btcp.dom.getTextContent('wrong')`, "EXECUTION_ERROR no such element"},
				// The code takes over the port that the methods use, and asks for more.
				{"forged", `["dom:read"]`, `const { postMessage } = MessagePort.prototype
let port
MessagePort.prototype.postMessage = function (...given) { port = this; return postMessage.apply(this, given) }
return btcp.dom.getTextContent('h1').then(() => {
	port.postMessage({ kind: 'ask', ask: 99, method: 'dom.click', params: { selector: 'h1' } })
	return btcp.dom.getTextContent('h1')
})`, title},
			} {
				for _, where := range []string{btcp.Worker, btcp.Iframe} {
					t.Run(row.name+"/"+where, func(t *testing.T) {
						var reply json.RawMessage
						page.Eval(t, fmt.Sprintf(`call({ id: '%d%s', type: 'execute', sandbox: %[2]q, capabilities: %[3]s, toolCode: %[4]s })`, i, where, row.capabilities, glass.Literal(t, row.code)), &reply)
						if !answers(string(reply), row.want) {
							t.Errorf("it gives %s, want %s", reply, row.want)
						}
					})
				}
			}
			var clicks int
			page.Eval(t, `asked.filter((method) => method === 'dom.click').length`, &clicks)
			if clicks != 0 {
				t.Errorf("the client was asked %d times for a capability that it did not grant", clicks)
			}
		})
	}
}
