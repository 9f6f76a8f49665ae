package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/bellglass/bellglass/btcp"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/canary"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// Two tools of the kinds that the BTCP specification documents, with the same names,
// parameters, results, and browser APIs. They are functions there, too. A call appends the
// line that calls the function.
const (
	parseXML = `async function parseXML({ xmlString }) {
  const items = new DOMParser().parseFromString(xmlString, 'application/xml').querySelectorAll('item')
  return [...items].map((item) => ({
    title: item.querySelector('title')?.textContent,
    link: item.querySelector('link')?.textContent,
  }))
}
`
	renderMarkdown = `const markdownToHTML = (text) => text.split('\n').map((line) => line.startsWith('# ') ? '<h1>' + line.slice(2) + '</h1>' : '<p>' + line + '</p>').join('')
async function renderMarkdown({ markdown }) {
  const page = document.createElement('div')
  page.innerHTML = markdownToHTML(markdown)
  return { html: page.innerHTML, headings: [...page.querySelectorAll('h1, h2, h3')].map(({ textContent }) => textContent) }
}
`
)

// A toolRow is a tool, with its answer in each sandbox of the protocol.
type toolRow struct {
	name           string
	call           btcp.Call
	worker, iframe string // a result, or an error's code and part of its message
}

func toolRows(url string) []toolRow {
	text := func(s string) json.RawMessage { return json.RawMessage(s) }
	both := func(name string, call btcp.Call, answer string) toolRow { return toolRow{name, call, answer, answer} }
	return []toolRow{
		both("arithmetic", btcp.Call{ToolCode: `return args.a * args.b + 1`, Args: text(`{"a":6,"b":7}`)}, `43`),
		{"parseXML", btcp.Call{ToolCode: parseXML + "return parseXML(args)", Args: text(`{"xmlString":"<rss><item><title>One</title><link>/1</link></item><item><title>Two</title></item></rss>"}`)},
			"EXECUTION_ERROR DOMParser", `[{"title":"One","link":"/1"},{"title":"Two","link":null}]`},
		{"renderMarkdown", btcp.Call{ToolCode: renderMarkdown + "return renderMarkdown(args)", Args: text(`{"markdown":"# Title\ntext"}`)},
			"EXECUTION_ERROR document", `{"html":"<h1>Title</h1><p>text</p>","headings":["Title"]}`},
		both("a promise", btcp.Call{ToolCode: `return Promise.resolve(args)`, Args: text(`["x"]`)}, `["x"]`),
		both("no args", btcp.Call{ToolCode: `return args === undefined`}, `true`),
		both("nothing", btcp.Call{ToolCode: `args`}, `null`),
		both("sloppy mode", btcp.Call{ToolCode: `undeclared = 3; return undeclared`}, `3`),
		both("no capability, no API", btcp.Call{ToolCode: `return [Object.keys(btcp), typeof btcp.dom, typeof fetch, typeof localStorage]`}, `[[],"undefined","undefined","undefined"]`),
		both("a capability, its API", btcp.Call{ToolCode: `return [Object.keys(btcp), typeof fetch, typeof WebSocket]`, Capabilities: []string{"network:fetch"}}, `[[],"function","undefined"]`),
		both("fetch with its capability", btcp.Call{ToolCode: `return fetch(args).then(({ ok }) => ok)`, Args: text(`"` + url + `"`), Capabilities: []string{"network:fetch"}}, `true`),
		both("fetch without", btcp.Call{ToolCode: `return fetch(args)`, Args: text(`"` + url + `"`)}, "EXECUTION_ERROR fetch"),
		both("throw", btcp.Call{ToolCode: `throw new RangeError('on purpose')`}, "EXECUTION_ERROR on purpose"),
		both("reject", btcp.Call{ToolCode: `return Promise.reject(new Error('rejected'))`}, "EXECUTION_ERROR rejected"),
		both("no JavaScript", btcp.Call{ToolCode: `return (`}, "EXECUTION_ERROR "),
		both("a body that ends the function", btcp.Call{ToolCode: `} + function () {`}, "EXECUTION_ERROR "),
		both("a function as result", btcp.Call{ToolCode: `return () => 1`}, "EXECUTION_ERROR function"),
		both("a large result", btcp.Call{ToolCode: `return 'x'.repeat(1 << 20)`}, "OUTPUT_TOO_LARGE 1048576"),
		both("args that their schema rejects", btcp.Call{ToolCode: `return 'ran'`, Args: text(`{"a":"1"}`), InputSchema: text(`{"properties":{"a":{"type":"number"}}}`)}, "INVALID_PARAMS '/a'"),
		both("args that it takes", btcp.Call{ToolCode: `return 'ran'`, Args: text(`{"a":1}`), InputSchema: text(`{"properties":{"a":{"type":"number"}}}`)}, `"ran"`),
		both("a capability that there is not", btcp.Call{ToolCode: `return 'ran'`, Capabilities: []string{"dom:observe"}}, "CAPABILITY_DENIED dom:observe"),
	}
}

func TestBTCP(t *testing.T) {
	t.Parallel()
	for engine, open := range glass.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			g := glass.Start(t)
			birds := canary.Start(t)
			origin := fmt.Sprintf("127.0.0.1:%d", birds.Port())
			sandbox := g.NewSandbox(t, map[string]string{"/index.html": glass.BlankPage}, fmt.Sprintf("version: 1\nscripts: [eval]\nrules: [{allow: ['http://%s', 'https://%s']}]\n", origin, origin))
			open(t, sandbox.HostURL())
			for _, row := range toolRows(birds.URL("tool", "x.json")) {
				for where, want := range map[string]string{btcp.Worker: row.worker, btcp.Iframe: row.iframe} {
					t.Run(row.name+"/"+where, func(t *testing.T) {
						call := row.call
						call.Sandbox = where
						if got := callTool(t, g, sandbox, call); !answers(got, want) {
							t.Errorf("it gives %s, want %s", got, want)
						}
					})
				}
			}
			if got := callTool(t, g, sandbox, btcp.Call{ToolCode: `return 1`, Capabilities: []string{"network:fetch", "dom:read"}}); !answers(got, "CAPABILITY_DENIED dom:read") {
				t.Errorf("without a page that could answer it gives %s", got)
			}
			if hits := birds.Hits("tool"); len(hits) != 2 {
				t.Errorf("the tools made %d requests, want one of each sandbox", len(hits))
			}
			endless := []string{btcp.Worker}
			if engine == "Chromium" { // see docs/btcp.md
				endless = append(endless, btcp.Iframe)
			}
			for _, where := range endless {
				if got := callTool(t, g, sandbox, btcp.Call{ToolCode: `while (true) {}`, Sandbox: where, Timeout: 2_000}); !answers(got, "TIMEOUT 2s") {
					t.Errorf("an endless loop in the %s gives %s", where, got)
				}
				if got := callTool(t, g, sandbox, btcp.Call{ToolCode: `return 'next'`, Sandbox: where}); !answers(got, `"next"`) {
					t.Errorf("after it the %s gives %s", where, got)
				}
			}
			if _, err := sandbox.SetPolicy(glass.Parse(t, glass.BlockAll)); err != nil {
				t.Fatal(err)
			}
			if got := callTool(t, g, sandbox, btcp.Call{ToolCode: `return 1`}); !answers(got, "SANDBOX_ERROR eval") {
				t.Errorf("without eval in the policy it gives %s", got)
			}
		})
	}
}

// callTool calls a tool over HTTP, checks the reply's ID, and returns the reply.
func callTool(t *testing.T, g *glass.Server, sandbox *server.Sandbox, call btcp.Call) string {
	t.Helper()
	call.ID, call.Type = json.RawMessage(fmt.Sprintf("%q", t.Name())), "execute"
	body, err := json.Marshal(call)
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, fmt.Sprintf("http://localhost:%d/api/v1/sandboxes/%s/btcp", g.Port, sandbox.ID()), bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+g.Token())
	request.Header.Set("Content-Type", "application/json")
	response, err := (&http.Client{Timeout: time.Minute}).Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var reply btcp.Reply
	if err := json.NewDecoder(response.Body).Decode(&reply); err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s, %v", response.Status, err)
	}
	if string(reply.ID) != string(call.ID) {
		t.Errorf("the reply's id is %s, want %s", reply.ID, call.ID)
	}
	text, err := json.Marshal(reply)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// answers reports whether a reply has the result, or the error's code and words.
func answers(reply, want string) bool {
	var r btcp.Reply
	if err := json.Unmarshal([]byte(reply), &r); err != nil {
		return false
	}
	if r.Error == nil {
		var result, wanted any
		return r.Type == "result" && json.Unmarshal(r.Result, &result) == nil && json.Unmarshal([]byte(want), &wanted) == nil && reflect.DeepEqual(result, wanted)
	}
	code, says, _ := strings.Cut(want, " ")
	return r.Type == "error" && string(r.Error.Code) == code && strings.Contains(r.Error.Message, says)
}
