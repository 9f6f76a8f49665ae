package tests

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/playwright-community/playwright-go"

	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/npm"
	"github.com/bellglass/bellglass/vfs"
)

// Real applications, as their authors publish them, run from virtual files.

// app makes a sandbox from a folder on disk that holds a package's files and
// some of our own.
func (g *glass) app(t *testing.T, name, from, to string, own map[string]string, policy string) *server.Sandbox {
	t.Helper()
	where, err := npm.Dir(name)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, to), os.DirFS(filepath.Join(where, from))); err != nil {
		t.Fatal(err)
	}
	for path, text := range own {
		if err := os.WriteFile(filepath.Join(dir, path), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	folder, err := vfs.OpenFolder(dir, g.Store(), vfs.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { folder.Close() })
	files, err := folder.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	sandbox, err := g.Create(server.Spec{Name: name, Files: files, Policy: parse(t, policy)})
	if err != nil {
		t.Fatal(err)
	}
	return sandbox
}

const swaggerPage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>API</title>
<link rel="stylesheet" href="ui/swagger-ui.css"><div id="ui"></div>
<script src="ui/swagger-ui-bundle.js"></script>
<script>SwaggerUIBundle({ url: %q, dom_id: '#ui' })</script>`

const specification = `{"openapi":"3.0.0","info":{"title":"Bell foundry","version":"1"},"paths":{"/bells":{"get":{"summary":"All bells","responses":{"200":{"description":"ok"}}}}}}`

func TestSwaggerUI(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	remote := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, specification)
	}))
	t.Cleanup(remote.Close)
	url := remote.URL + "/v1/openapi.json"
	g := startGlass(t)
	own := map[string]string{"index.html": fmt.Sprintf(swaggerPage, url)}

	// By default the remote specification is blocked, with a line in the log.
	v := g.open(t, "localhost", g.app(t, "swagger-ui-dist", ".", "ui", own, "version: 1\ndefault: block\nscripts: [inline]\n"))
	row := v.waitFor(fmt.Sprintf(`[data-testid=verdict][data-action=block][data-url=%q]`, url))
	if code := v.attribute(row, "data-code"); code != "private-address" {
		t.Errorf("the block's code is %q, want private-address", code)
	}
	if text := v.text("#ui .errors-wrapper"); !strings.Contains(text, "Fetch error") {
		t.Errorf("swagger-ui shows %q, want its fetch error", text)
	}
	if n := asked.Load(); n != 0 {
		t.Errorf("the blocked specification was asked for %d times", n)
	}

	// Allowed by a rule, it renders.
	policy := fmt.Sprintf("version: 1\ndefault: block\nscripts: [inline]\nrules:\n  - id: spec\n    allow: %s\n    types: [fetch]\n", url)
	v = g.open(t, "localhost", g.app(t, "swagger-ui-dist", ".", "ui", own, policy))
	if title := v.text("#ui .info .title"); !strings.Contains(title, "Bell foundry") {
		t.Errorf("the title is %q", title)
	}
	if summary := v.text("#ui .opblock-summary-description"); summary != "All bells" {
		t.Errorf("the operation is %q", summary)
	}
	row = v.waitFor(fmt.Sprintf(`[data-testid=verdict][data-action=allow][data-url=%q]`, url))
	if rule, line := v.attribute(row, "data-rule"), v.attribute(row, "data-line"); rule != "spec" || line != "5" {
		t.Errorf("allowed by rule %q at line %q, want spec at 5", rule, line)
	}
	if asked.Load() == 0 {
		t.Error("nobody asked for the allowed specification")
	}
}

const monacoPage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Editor</title>
<style>html, body, #editor { height: 100%; margin: 0 }</style><div id="editor"></div>
<script src="vs/loader.js"></script>
<script>
require.config({ paths: { vs: location.origin + '/vs' } })
require(['vs/editor/editor.main'], () => {
  window.editor = monaco.editor.create(document.getElementById('editor'), { value: '', language: 'typescript' })
  window.editor.focus()
  document.body.dataset.up = 'yes'
})
</script>`

func TestMonacoEditor(t *testing.T) {
	t.Parallel()
	g := startGlass(t)
	v := g.open(t, "localhost", g.app(t, "monaco-editor", "min/vs", "vs", map[string]string{"index.html": monacoPage}, allScripts))
	frame := v.frame()
	if err := frame.Locator("body[data-up=yes]").WaitFor(); err != nil {
		t.Fatal(err)
	}
	if err := frame.Locator(".monaco-editor textarea.inputarea").Focus(); err != nil {
		t.Fatal(err)
	}
	if err := v.page.Keyboard().Type("const bells = [1, 2]\nbells.fla"); err != nil {
		t.Fatal(err)
	}
	// The completion comes from the TypeScript compiler in a web worker.
	if err := frame.Locator(".suggest-widget .monaco-list-row", playwright.FrameLocatorOptions{HasText: "flatMap"}).First().WaitFor(); err != nil {
		t.Fatal(err)
	}
	if workers := v.page.Workers(); len(workers) == 0 {
		t.Error("no web worker runs")
	}
}

const pyodidePage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Python</title><pre id="result"></pre>
<script src="py/pyodide.js"></script>
<script type="module">
const python = await loadPyodide({ indexURL: '/py/' })
const sum = python.runPython('sum(range(10))')
python.FS.writeFile('foundry.py', await (await fetch('/foundry.py')).text())
const tone = python.runPython('import foundry; foundry.tone(3)')
document.getElementById('result').textContent = JSON.stringify({ sum, tone })
</script>`

func TestPyodide(t *testing.T) {
	t.Parallel()
	g := startGlass(t)
	own := map[string]string{"index.html": pyodidePage, "foundry.py": "def tone(n):\n    return 'ding ' * n\n"}
	v := g.open(t, "localhost", g.app(t, "pyodide", ".", "py", own, allScripts))
	result := v.frame().Locator("#result:not(:empty)")
	if err := result.WaitFor(playwright.LocatorWaitForOptions{Timeout: playwright.Float(120_000)}); err != nil {
		t.Fatal(err)
	}
	if text := v.text("#result"); text != `{"sum":45,"tone":"ding ding ding "}` {
		t.Errorf("Python computed %s", text)
	}
}
