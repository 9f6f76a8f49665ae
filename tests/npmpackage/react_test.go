package npmpackage

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/playwright-community/playwright-go"

	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// reactPage renders the documented component in StrictMode, and one with every kind of prop. In
// a development build, React then runs each effect, removes it, and runs it again.
const reactPage = `import { StrictMode, createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { Sandbox } from 'bellglass/react'
import { Preview } from './preview'

const src = new URLSearchParams(location.search).get('src') ?? ''
const page = globalThis as unknown as { heard: string[], texts: string[], complaints: string[], render: (name: string) => void, ended: () => void }
page.heard = []
page.texts = []
page.complaints = []
console.error = console.warn = (...what: unknown[]) => { page.complaints.push(what.join(' ')) }
const { log } = console
console.log = (text: string) => { page.texts.push(text); log(text) }

const place = document.querySelector('main') as HTMLElement
const root = createRoot(place)
page.render = (name) => root.render(createElement(StrictMode, null,
  createElement('section', null, createElement(Preview, { src })),
  createElement(Sandbox, {
    src, token: 'secret', api: '/api/v1', timeout: 60_000, className: 'own ' + name, title: 'Mine', 'aria-label': 'Label',
    ref: (element: HTMLElement | null) => { if (element !== null) page.heard.push('ref ' + ('reload' in element)) },
    onState: ({ detail }) => { page.heard.push(name + ' state ' + detail.state) },
    onReady: () => { page.heard.push(name + ' ready') },
    onConsole: ({ detail }) => { page.heard.push(name + ' console ' + detail.text) },
  } as never)))
page.ended = () => root.unmount()
page.render('first')
`

// serveBundled serves a page with a module of a project, bundled as an embedder's bundler would
// for development.
func serveBundled(t *testing.T, dir, module string) (origin string) {
	t.Helper()
	result := api.Build(api.BuildOptions{
		EntryPoints: []string{filepath.Join(dir, module)}, AbsWorkingDir: dir, Bundle: true, Format: api.FormatESModule, Target: api.ES2022,
		JSX: api.JSXAutomatic, Define: map[string]string{"process.env.NODE_ENV": `"development"`},
	})
	if len(result.Errors) > 0 {
		t.Fatalf("bundling: %+v", result.Errors)
	}
	script := strings.ReplaceAll(string(result.OutputFiles[0].Contents), "</script", `<\/script`)
	return glass.ServePage(t, func(*http.Request) string {
		return `<!doctype html><meta charset="utf-8"><title>Project</title><body><main></main><script type="module">` + script + `</script>`
	})
}

// The component boots its sandbox once in StrictMode, hears its events from the first on, and
// takes new props without another boot.
func TestReact(t *testing.T) {
	t.Parallel()
	for name, packages := range reacts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := newProject(t, map[string]string{"page.tsx": reactPage, "preview.tsx": documented(t, "React", "tsx")}, packages...)
			embedder := serveBundled(t, dir, "page.tsx")
			var boots atomic.Int64
			g := glass.StartBehind(t, func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.Header.Get("Sec-Fetch-Dest") == "iframe" && strings.HasPrefix(r.Host, "sandbox.localhost") {
						boots.Add(1)
					}
					next.ServeHTTP(w, r)
				})
			}, func(c *server.Config) { c.Embedders = []string{embedder} })
			sandbox := g.NewSandbox(t, map[string]string{"/index.html": `<!doctype html><html lang="en"><meta charset="utf-8"><title>T</title><script>console.log('hello')</script>`}, glass.AllScripts)
			page := glass.NewPage(t)
			_, err := page.Goto(embedder + "/?src=" + sandbox.OuterURL())
			must(t, err)
			wait := func(condition string) {
				t.Helper()
				if _, err := page.WaitForFunction("() => "+condition, nil); err != nil {
					heard, _ := page.Evaluate("() => [heard, texts]")
					t.Fatalf("%s: %v; the page heard %v", condition, err, heard)
				}
			}
			wait(`heard.includes('first console hello') && heard.includes('first ready') && texts.includes('hello')`)
			eval := func(function string) any {
				t.Helper()
				got, err := page.Evaluate(function)
				must(t, err)
				return got
			}
			heard := fmt.Sprint(eval(`() => heard.filter((line) => line.startsWith('first state') || line.endsWith('ready')).join()`))
			if want := "first state booting,first state ready,first ready"; heard != want {
				t.Errorf("the component heard %s, want %s", heard, want)
			}
			if got := eval(`() => heard.filter((line) => line.startsWith('ref')).every((line) => line === 'ref true')`); got != true {
				t.Error("a ref was not the element")
			}
			own := `document.querySelector('.own')`
			if got, want := eval(`() => `+own+`.outerHTML.includes('secret') + ' ' + `+own+`.token + ' ' + [...`+own+`.attributes].map(({ name, value }) => name + '=' + value).filter((pair) => !pair.startsWith('src=')).sort().join()`),
				"false secret api=/api/v1,aria-label=Label,class=own first,timeout=60000,title=Mine"; got != want {
				t.Errorf("the element has %v, want %v", got, want)
			}
			eval(`() => { ` + own + `.shadowRoot.querySelector('iframe').dataset.kept = 'yes'; render('second') }`)
			wait(own + `.className === 'own second'`)
			_, err = sandbox.SetFiles(g.Files(t, map[string]string{"/index.html": `<!doctype html><html lang="en"><meta charset="utf-8"><title>T</title><script>console.log('again')</script>`}))
			must(t, err)
			eval(`() => ` + own + `.reload()`)
			wait(`heard.includes('second console again')`)
			if got := eval(`() => ` + own + `.shadowRoot.querySelector('iframe').dataset.kept`); got != "yes" {
				t.Errorf("the frame was made again for other props: %v", got)
			}
			if n := boots.Load(); n != 2 {
				t.Errorf("the two components loaded %d outer frames", n)
			}
			eval(`() => ended()`)
			wait(`document.querySelector('bellglass-sandbox') === null`)
			if got := eval(`() => complaints.join()`); got != "" {
				t.Errorf("React or the library complains: %v", got)
			}
		})
	}
}

// The documented page shows a sandbox by the bundled element.
func TestDocumentedElement(t *testing.T) {
	t.Parallel()
	source := replaced(t, documented(t, "The element", "js"), "'http://sandbox.localhost:3333/{id}'", "new URLSearchParams(location.search).get('src')")
	embedder := serveBundled(t, newProject(t, map[string]string{"page.js": source}), "page.js")
	g := glass.Start(t, func(c *server.Config) { c.Embedders = []string{embedder} })
	sandbox := g.NewSandbox(t, map[string]string{"/index.html": `<!doctype html><html lang="en"><meta charset="utf-8"><title>T</title><script>console.log('hello')</script>`}, glass.AllScripts)
	page := glass.NewPage(t)
	// The page itself repeats what the sandbox wrote.
	_, err := page.ExpectConsoleMessage(func() error {
		_, err := page.Goto(embedder + "/?src=" + sandbox.OuterURL())
		return err
	}, playwright.PageExpectConsoleMessageOptions{Predicate: func(m playwright.ConsoleMessage) bool {
		return m.Text() == "hello" && strings.HasPrefix(m.Location().URL, embedder)
	}})
	must(t, err)
}

// A server renders the component without an element, and without the token.
func TestServerRendering(t *testing.T) {
	t.Parallel()
	for name, packages := range reacts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := newProject(t, map[string]string{"program.mjs": `import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { BellglassSandbox } from 'bellglass'
import { Sandbox } from 'bellglass/react'
console.log(typeof BellglassSandbox, renderToString(createElement(Sandbox, { src: 'http://sandbox.localhost:3333/a', token: 'secret', className: 'own', autosize: true })))
`}, packages...)
			cmd := exec.CommandContext(t.Context(), "node", "program.mjs")
			cmd.Dir, cmd.Stderr = dir, os.Stderr
			out, err := cmd.Output()
			if want := "function <bellglass-sandbox class=\"own\"></bellglass-sandbox>\n"; err != nil || string(out) != want {
				t.Errorf("rendered %q (%v), want %q", out, err, want)
			}
		})
	}
}
