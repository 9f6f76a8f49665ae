package mcp

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/playwright-community/playwright-go"

	"github.com/bellglass/bellglass/mcpapps"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/glass"
	"github.com/bellglass/bellglass/tests/internal/mcp"
)

// hostModule is the common part of the host pages: the MCP servers behind them, and apps with
// records of what they did. resource reads the app that a tool names. remember makes an app.
const hostModule = `
import { getToolUiResourceUri } from '@modelcontextprotocol/ext-apps/app-bridge'
const ask = async (server, method, params) => {
	const response = await fetch('/mcp', { method: 'POST', body: JSON.stringify({ server, method, params }) })
	if (!response.ok) throw new Error(await response.text())
	return response.json()
}
const resource = async (server, tool) => {
	const { tools } = await ask(server, 'tools/list')
	const uri = getToolUiResourceUri(tools.find((one) => one.name === tool))
	const { contents: [{ text, _meta }] } = await ask(server, 'resources/read', { uri })
	return { html: text, csp: _meta?.ui?.csp, permissions: _meta?.ui?.permissions }
}
const called = (server, params) => server === '' ? { content: [{ type: 'text', text: 'called ' + params.name }] } : ask(server, 'tools/call', params)
globalThis.apps = new Map()
const remember = (name) => {
	const app = { calls: [], links: [], messages: [], sizes: [], logs: [], errors: [], waiting: [] }
	apps.set(name, app)
	return [app, (kind, what) => {
		app[kind].push(what)
		for (const look of app.waiting) look()
	}]
}
// until resolves once the app has at least one entry of the kind, such as "links".
globalThis.until = (app, kind) => new Promise((resolve) => {
	const look = () => { if (app[kind].length > 0) resolve() }
	app.waiting.push(look)
	look()
})
`

// bridgeModule is an MCP host as its authors intend: AppBridge of
// @modelcontextprotocol/ext-apps in a page. It knows only the proxy's address of Bellglass, in
// the lines of the documentation.
func bridgeModule(t *testing.T) string {
	return hostModule + strings.Replace(bridgeScript, "FRAME", at(t, documented(t, "migration.md", "## Hosts by AppBridge", "js"), "proxy"), 1)
}

const bridgeScript = `
import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge'
const asked = (window, method) => new Promise((resolve) => addEventListener('message', function listen({ source, data }) {
	if (source !== window() || data?.method !== method) return
	removeEventListener('message', listen)
	resolve()
}))
// start runs a server's tool, and shows the tool's app, or the app in own.
globalThis.start = async (name, proxy, server, tool, args, own) => {
	const { html, csp, permissions } = own ?? await resource(server, tool)
	FRAME
	frame.id = name
	frame.style = 'width: 800px; height: 600px'
	const ready = asked(() => frame.contentWindow, 'ui/notifications/sandbox-proxy-ready')
	document.body.append(frame)
	await ready
	const capabilities = { serverTools: {}, openLinks: {}, logging: {} }
	const bridge = new AppBridge(null, { name: 'Host', version: '1' }, capabilities, { hostContext: { theme: 'light' } })
	const [app, note] = remember(name)
	app.teardown = () => bridge.teardownResource({})
	const initialized = new Promise((resolve) => bridge.addEventListener('initialized', resolve))
	bridge.addEventListener('sizechange', (size) => note('sizes', size))
	bridge.addEventListener('loggingmessage', (log) => {
		if (log.logger === 'bellglass' && log.data?.sandbox) capabilities.sandbox ??= log.data.sandbox
		note('logs', log)
	})
	bridge.oncalltool = async (params) => {
		note('calls', params.name)
		return called(server, params)
	}
	bridge.onopenlink = async ({ url }) => { note('links', url); return {} }
	bridge.onmessage = async ({ content }) => { note('messages', content[0].text); return {} }
	await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow))
	await bridge.sendSandboxResourceReady({ html, csp, permissions })
	await initialized
	await bridge.sendToolInput({ arguments: args })
	await bridge.sendToolResult(own === undefined ? await ask(server, 'tools/call', { name: tool, arguments: args }) : own.result)
	return app
}
`

// appModule is an app built with the same package. It uses every feature of an app.
const appModule = `
import { App } from '@modelcontextprotocol/ext-apps'
const app = new App({ name: 'App', version: '1' }, {}, { autoResize: false })
const input = new Promise((resolve) => { app.ontoolinput = resolve })
const result = new Promise((resolve) => { app.ontoolresult = resolve })
app.onteardown = async () => ({ done: true })
;(async () => {
	await app.connect()
	const { arguments: given } = await input
	const { content: [{ text }] } = await result
	const called = await app.callServerTool({ name: 'echo', arguments: {} })
	await app.openLink({ url: 'https://example.com/' })
	await app.sendSizeChanged({ width: 400, height: 1234 })
	const { csp = null, permissions = null } = app.getHostCapabilities().sandbox ?? {}
	const granted = JSON.stringify([csp, permissions])
	await app.sendMessage({ role: 'user', content: [{ type: 'text', text: [given.a, text.length, called.content[0].text, app.getHostContext().theme, granted].join(' ') }] })
})()
`

// A bridge serves the host page, and forwards its requests to the MCP servers.
type bridge struct {
	page string // the page's address
	mu   sync.Mutex
	// servers are the running servers, by npm package.
	servers  map[string]*mcp.Server
	document string // path of a PDF file, once the real apps are started
}

// startBridge serves a host page with the module's script, and a proxy that the page may
// embed.
func startBridge(t *testing.T, module string, adjust ...func(*server.Config)) (*glass.Server, *bridge) {
	t.Helper()
	script, err := mcp.Bundle(t.TempDir(), module)
	if err != nil {
		t.Fatal(err)
	}
	b := &bridge{servers: map[string]*mcp.Server{}}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><html lang="en"><meta charset="utf-8"><title>Host</title><body><script src="/host.js"></script>`)
	})
	mux.HandleFunc("/host.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, script)
	})
	mux.HandleFunc("POST /mcp", b.ask)
	listeners := glass.Listen(t)
	glass.Serve(t, listeners, mux)
	t.Cleanup(func() {
		for name, one := range b.servers {
			if err := one.Close(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
	origin := fmt.Sprintf("http://localhost:%d", listeners[0].Addr().(*net.TCPAddr).Port)
	b.page = origin + "/"
	adjust = append([]func(*server.Config){func(c *server.Config) { c.Embedders, c.MCPApps = []string{origin}, &mcpapps.Options{} }}, adjust...)
	return glass.Start(t, adjust...), b
}

// start runs the server of an npm package.
func (b *bridge) start(t *testing.T, name string, arguments ...string) {
	t.Helper()
	started, err := mcp.Start(t.Context(), t.TempDir(), name, arguments...)
	if err != nil {
		t.Fatal(err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.servers[name] = started
}

// startApps runs the servers of apps.
func (b *bridge) startApps(t *testing.T, rows []realApp) {
	t.Helper()
	b.document = filepath.Join(t.TempDir(), "glass.pdf")
	if err := os.WriteFile(b.document, pdfSaying("Under glass"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		var arguments []string
		if strings.Contains(row.args, "PDF") {
			arguments = []string{b.document}
		}
		b.start(t, "@modelcontextprotocol/server-"+row.server, arguments...)
	}
}

// pdfSaying returns a document of one page (PDF 1.4, section 3.4).
func pdfSaying(text string) []byte {
	draw := fmt.Sprintf("BT /F1 48 Tf 72 600 Td (%s) Tj ET", text)
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
		fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(draw), draw),
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
	}
	pdf, table := "%PDF-1.4\n", "0000000000 65535 f \n"
	for i, object := range objects {
		table += fmt.Sprintf("%010d 00000 n \n", len(pdf))
		pdf += fmt.Sprintf("%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	size := len(objects) + 1
	return fmt.Appendf(nil, "%sxref\n0 %d\n%strailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", pdf, size, table, size, len(pdf))
}

func (b *bridge) ask(w http.ResponseWriter, r *http.Request) {
	var question struct {
		Server, Method string
		Params         json.RawMessage
	}
	if err := json.NewDecoder(r.Body).Decode(&question); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	b.mu.Lock()
	asked := b.servers[question.Server]
	b.mu.Unlock()
	if asked == nil {
		http.Error(w, "no such server runs", http.StatusNotFound)
		return
	}
	result, err := asked.Do(r.Context(), question.Method, question.Params)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(result); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

// wholeApp returns an app's document that uses every feature of an app.
func wholeApp(t *testing.T) string {
	t.Helper()
	script, err := mcp.Bundle(t.TempDir(), appModule)
	if err != nil {
		t.Fatal(err)
	}
	return `<!doctype html><html lang="en"><meta charset="utf-8"><title>App</title><body><script>` + script + `</script>`
}

// testWholeApp runs the app in a host page. capabilities, in JSON, is the part of the app's
// grants that the host passes on.
func testWholeApp(t *testing.T, g *glass.Server, page glass.Page, html, capabilities string) {
	var got struct {
		Calls, Links, Messages, Errors []string
		Sizes                          []struct{ Width, Height int }
		Torn                           struct{ Done bool }
	}
	page.Eval(t, fmt.Sprintf(`(async () => {
		const app = await start('a', %q, '', '', { a: 'given' }, { html: %s, csp: { connectDomains: ['https://b.example', 'https://a.example'] }, permissions: { camera: {} }, result: { content: [{ type: 'text', text: 'x'.repeat(5 << 20) }] } })
		await until(app, 'messages')
		return { ...app, waiting: undefined, torn: await app.teardown() }
	})()`, proxyOrigin(g), glass.Literal(t, html)), &got)
	want := fmt.Sprintf("given %d called echo light %s", 5<<20, capabilities)
	if fmt.Sprint(got.Calls, got.Links, got.Messages, got.Errors, got.Sizes) != fmt.Sprint([]string{"echo"}, []string{"https://example.com/"}, []string{want}, []string{}, []struct{ Width, Height int }{{400, 1234}}) || !got.Torn.Done {
		t.Errorf("the host received %+v", got)
	}
}

// An app built with ext-apps uses every feature of an app, with a host built with ext-apps.
// The test runs in three engines, with and without their worker.
func TestAppBridge(t *testing.T) {
	t.Parallel()
	g, b := startBridge(t, bridgeModule(t))
	html := wholeApp(t)
	for engine, open := range allEngines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			testWholeApp(t, g, open(t, b.page), html, `[{"connectDomains":["https://a.example","https://b.example"]},{"camera":{}}]`)
		})
	}
}

// A realApp is a published npm package, with a tool and what its app shows. PDF stands for the
// path of a document.
type realApp struct{ server, tool, args, selector, text string }

var realApps = []realApp{
	{"basic-react", "get-time", `{}`, "body", "Get Server Time"},
	{"budget-allocator", "get-budget-data", `{}`, "body", "Marketing"},
	{"scenario-modeler", "get-scenario-data", `{}`, "body", "Scenario"},
	{"customer-segmentation", "get-customer-data", `{}`, "body", "Segment"},
	{"shadertoy", "render-shadertoy", `{"fragmentShader":"void mainImage(out vec4 c, in vec2 p) { c = vec4(1.0, 0.5, 0.0, 1.0); }"}`, "canvas", ""},
}

// widerApps need more than the specification's policy gives: blob: workers, and eval.
var widerApps = []realApp{
	{"pdf", "display_pdf", `{"url":"PDF"}`, "#text-layer", "Under glass"},
	{"threejs", "show_threejs_scene", `{}`, "canvas", ""},
}

// Third-party apps run from their own servers, in a host built with ext-apps. The test checks
// what they show in Chromium, with workers and without. In the other browsers it checks that
// the host hears that each app started.
func TestRealMCPApps(t *testing.T) {
	t.Parallel()
	g, b := startBridge(t, bridgeModule(t))
	b.startApps(t, realApps)
	for name, in := range map[string]func(testing.TB) *browser.Browser{"with workers": glass.Chromium, "without": glass.Workerless} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testRealApps(t, g, b, in(t).Page(t))
		})
	}
	for engine, open := range allEngines {
		t.Run("started in "+engine, func(t *testing.T) {
			t.Parallel()
			page := open(t, b.page)
			for _, row := range realApps {
				var warnings []string
				page.Eval(t, fmt.Sprintf(`(async () => {
					const { logs } = await %s
					return logs.filter(({ level }) => level === 'warning').map(({ data }) => data)
				})()`, b.starting(g, row)), &warnings)
				if len(warnings) > 0 {
					t.Errorf("%s: the host receives %q", row.server, warnings)
				}
			}
		})
	}
}

// Apps that need more run under the profile of a host that grants it.
func TestRealMCPAppsAsClaude(t *testing.T) {
	t.Parallel()
	g, b := startBridge(t, bridgeModule(t), func(c *server.Config) { c.MCPApps.Profile = mcpapps.ProfileClaude })
	b.startApps(t, widerApps)
	page := glass.NewPage(t)
	if _, err := page.Goto(b.page); err != nil {
		t.Fatal(err)
	}
	b.show(t, g, page, widerApps)
}

func testRealApps(t *testing.T, g *glass.Server, b *bridge, page playwright.Page) {
	if _, err := page.Goto(b.page); err != nil {
		t.Fatal(err)
	}
	b.show(t, g, page, realApps)
	// The view calls a tool of its server, through the host and the proxy.
	react := page.FrameLocator("#basic-react").FrameLocator("iframe")
	if err := react.GetByText("Get Server Time").Click(); err != nil {
		t.Fatal(err)
	}
	var calls []string
	glass.InChromium(page).Eval(t, `(async () => {
		await until(apps.get('basic-react'), 'calls')
		return apps.get('basic-react').calls
	})()`, &calls)
	if strings.Join(calls, " ") != "get-time" {
		t.Errorf("the app calls %q", calls)
	}
}

// starting returns the expression that starts an app in the host page.
func (b *bridge) starting(g *glass.Server, row realApp) string {
	return fmt.Sprintf(`start(%q, %q, %q, %q, %s)`, row.server, proxyOrigin(g), "@modelcontextprotocol/server-"+row.server, row.tool, strings.Replace(row.args, "PDF", b.document, 1))
}

// show runs the apps in the host page, and checks each one.
func (b *bridge) show(t *testing.T, g *glass.Server, page playwright.Page, rows []realApp) {
	for _, row := range rows {
		var started bool
		glass.InChromium(page).Eval(t, b.starting(g, row)+`.then(() => true)`, &started)
		app := page.FrameLocator("#" + row.server).FrameLocator("iframe")
		// A hidden frame's content counts as visible.
		if err := browser.Expect(page.FrameLocator("#"+row.server).Locator("#cover")).ToHaveAttribute("data-state", "ready"); err != nil {
			t.Errorf("%s: %v", row.server, err)
		}
		if err := browser.Expect(app.Locator(row.selector).First()).ToBeVisible(); err != nil {
			t.Errorf("%s: %v", row.server, err)
		}
		if err := browser.Expect(app.Locator(row.selector).First()).ToContainText(row.text); err != nil {
			t.Errorf("%s: %v", row.server, err)
		}
	}
}
