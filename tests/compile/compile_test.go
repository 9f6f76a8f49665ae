package compile

import (
	"maps"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/tests/internal/glass"
)

// project is a Vite-shaped project without packages: its JSX makes elements by itself.
var project = map[string]string{
	// The page's own policy blocks inline styles.
	"/index.html": `<!doctype html><html lang="en"><meta charset="utf-8"><title>Project</title><meta http-equiv="Content-Security-Policy" content="style-src 'self'"><div id="root"></div><script type="module" src="/src/main.tsx"></script>`,
	"/tsconfig.json": `{
		// A solution, as Vite makes it.
		"files": [],
		"references": [{ "path": "./tsconfig.app.json" }],
	}`,
	"/tsconfig.app.json": `{ "compilerOptions": { "jsx": "react", "jsxFactory": "h", "baseUrl": ".", "paths": { "@/*": ["src/*"] } } }`,
	"/src/h.ts": `export function h(tag: string, props: Record<string, string> | null, ...children: (string | Node)[]): Element {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(props ?? {})) element.setAttribute(name, value)
  element.append(...children)
  return element
}`,
	"/src/main.tsx": `import { h } from '@/h'
import { greet, type Name } from './lib'
import data, { who } from './data.json'
import './page.css'
import styles from './card.module.css'
import icon from './icon.svg'
import old from './old'
import note from './note.txt?raw'
import Greeter from './worker?worker'

enum Level { Low = 1, High }

const name: Name = who satisfies string
const card = <p class={styles.card}>{greet(name)}</p>
document.getElementById('root')!.append(card)
const lazy = await import('./lazy')
const answer = (worker: Worker) => new Promise((resolve) => { worker.onmessage = ({ data }) => resolve(data) })
const fromWorker = await answer(new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }))
const fromGreeter = await answer(new Greeter())
const source = await (await fetch('/src/lib/index.ts')).text()
console.log('seen ' + JSON.stringify({
  text: card.textContent, json: data.list.length, level: Level.High, icon, old, lazy: lazy.default, worker: fromWorker, greeter: fromGreeter, note,
  color: getComputedStyle(document.body).color, size: getComputedStyle(card).fontSize, class: styles.card !== 'card',
  dev: import.meta.env.DEV, source: source.includes('name: Name'),
}))`,
	"/src/lib/index.ts":    `export type Name = string; export const greet = (name: Name): string => 'hello ' + name`,
	"/src/data.json":       `{ "who": "world", "list": [1, 2, 3] }`,
	"/src/page.css":        `body { color: rgb(1, 2, 3) }`,
	"/src/card.module.css": `.card { font-size: 33px; background: url(./icon.svg) }`,
	"/src/icon.svg":        `<svg xmlns="http://www.w3.org/2000/svg"/>`,
	"/src/old.js":          `import { answer } from './answer'; export default answer`,
	"/src/note.txt":        "a note\n",
	"/src/answer.mjs":      `export const answer = 42`,
	"/src/lazy.jsx":        `import { h } from './h.js'; export default (<b>lazy</b>).textContent`,
	"/src/worker.ts":       `import { greet } from './lib'; import { who } from './data.json'; postMessage(greet(who as string))`,
}

const seen = `{"text":"hello world","json":3,"level":2,"icon":"/src/icon.svg","old":42,"lazy":"lazy","worker":"hello world","greeter":"hello world","note":"a note\n",` +
	`"color":"rgb(1, 2, 3)","size":"33px","class":true,"dev":true,"source":true}`

func TestProjectRunsFromItsSources(t *testing.T) {
	t.Parallel()
	g := glass.Start(t)
	engines := maps.Clone(glass.Engines)
	engines["Chromium without a worker"] = glass.WorkerlessEngines["Chromium with Playwright's own switches"]
	for name, open := range engines {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sandbox := g.NewSandbox(t, project, glass.BlockAll+"worker: preferred\n")
			open(t, sandbox.HostURL())
			if got := said(t, g, sandbox, "seen "); got != seen {
				t.Errorf("the page has seen\n%s, want\n%s", got, seen)
			}
		})
	}
}

// An error is data: the answer of the change and the event name the same place, the view shows it,
// and the rest of the page runs. A view that is loaded after the mistake is mended shows none.
func TestMistakeIsShownWhereItIs(t *testing.T) {
	t.Parallel()
	g := glass.Start(t)
	// It tells what is shown over the page.
	const watch = `<script type="module" src="/src/watch.ts"></script>`
	const wrong = "import { h } from '@/h'\nexport const broken = <p>{</p>\n"
	for name, open := range glass.Engines {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := maps.Clone(project)
			files["/src/main.tsx"] = "import { broken } from './broken'\nconsole.log('seen ' + broken)\n"
			files["/src/broken.tsx"] = "export const broken = 'whole'\n"
			files["/index.html"] = strings.Replace(files["/index.html"], "<script", watch+"<script", 1)
			files["/src/watch.ts"] = `new MutationObserver(() => {
  const cover = document.querySelector('bellglass-overlay')
  if (cover !== null) console.log('overlay ' + cover.shadowRoot!.textContent)
}).observe(document.documentElement, { childList: true })`
			sandbox := g.NewSandbox(t, files, glass.BlockAll)
			edited := put(t, sandbox, "/src/broken.tsx", wrong)
			if len(edited.Diagnostics) != 1 {
				t.Fatalf("the change answers with %+v, want one diagnostic", edited.Diagnostics)
			}
			d := edited.Diagnostics[0]
			if d.File != "/src/broken.tsx" || d.Line != 2 || d.Column != 28 || d.SourceLine != "export const broken = <p>{</p>" {
				t.Errorf("the diagnostic is %+v, want it at /src/broken.tsx:2:28", d)
			}
			open(t, sandbox.HostURL())
			event := g.Log(t, sandbox, func(e glass.Logged) bool { return e.Type == "error" })
			if text := event[len(event)-1].Text; !strings.Contains(text, "CompileError: /src/broken.tsx:2:28: ") {
				t.Errorf("the page reports %q", text)
			}
			g.Log(t, sandbox, func(e glass.Logged) bool {
				return strings.HasPrefix(e.Text, "overlay ") && strings.Contains(e.Text, "/src/broken.tsx:2:28")
			})
			if mended := put(t, sandbox, "/src/broken.tsx", "export const broken = 'whole'\n"); len(mended.Diagnostics) != 0 {
				t.Errorf("the mended file has %+v", mended.Diagnostics)
			}
			open(t, sandbox.HostURL())
			if got := said(t, g, sandbox, "seen "); got != "whole" {
				t.Errorf("the mended page says %q", got)
			}
		})
	}
}
