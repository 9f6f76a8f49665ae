package compile

import (
	"fmt"
	"maps"
	"net/http"
	"testing"

	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// hotModules is a project whose modules print what they do.
var hotModules = map[string]string{
	"/index.html": `<!doctype html><html lang="en"><meta charset="utf-8"><title>Hot</title><script type="module" src="/main.ts"></script>`,
	"/main.ts": `import { name } from './dep'
import './self'
import './parent'
import './ring-a'
import './two'
import './plain'
import './keeps'
import './taker'
import './stubborn'
import './never'
import data from './data.json'
console.log('did main ' + name + ' ' + data.n)
import.meta.hot?.accept('./dep', (next) => console.log('did main takes ' + next?.name))
import.meta.hot?.on('vite:afterUpdate', () => console.log('did updated'))
import('./lazy').then(() => console.log('did loaded'))
`,
	"/dep.ts":        `export const name: string = 'dep 1'; console.log('did dep 1')`,
	"/self.ts":       hotSelf(1),
	"/parent.ts":     `import { value } from './child'; import text from './text.txt?raw'; console.log('did parent ' + value + text); import.meta.hot?.accept()`,
	"/child.ts":      `import './grandchild'; export const value: number = 1; console.log('did child 1')`,
	"/grandchild.ts": `console.log('did grandchild 1')`,
	"/text.txt":      "text 1",
	"/ring-a.ts":     `import './ring-b'; console.log('did ring-a 1'); import.meta.hot?.accept(() => console.log('did ring-a takes'))`,
	"/ring-b.ts":     `import './ring-c'; console.log('did ring-b 1')`,
	"/ring-c.ts":     `import './ring-a'; console.log('did ring-c 1')`,
	"/two.ts":        `import { l } from './left'; import { r } from './right'; console.log('did two ' + l + r); import.meta.hot?.accept(['./left', './right'], (all) => console.log('did two takes ' + all.map((m) => m === undefined ? '-' : Object.values(m).join())))`,
	"/left.ts":       `import './both'; export const l = 'l1'; console.log('did left 1')`,
	"/right.ts":      `import './both'; export const r = 'r1'; console.log('did right 1')`,
	"/both.ts":       `console.log('did both 1')`,
	"/plain.ts":      `import './deep'; console.log('did plain 1')`,
	"/deep.ts":       `console.log('did deep 1')`,
	"/data.json":     `{ "n": 1 }`,
	"/keeps.ts":      hotKeeps(1),
	"/taker.ts":      `import { n } from './gives-up'; console.log('did taker ' + n); import.meta.hot?.accept()`,
	"/gives-up.ts":   hotGivesUp(1),
	"/stubborn.ts":   hotGivesUp(1),
	"/never.ts":      hotGivesUp(0), // which is never replaced
	"/lazy.ts":       `import './self'; import { value } from './child'; console.log('did lazy ' + value); import.meta.hot?.accept()`,
}

func hotSelf(n int) string {
	return fmt.Sprintf(`console.log('did self %d'); export const n = %[1]d
if (import.meta.hot) {
  import.meta.hot.accept((next) => console.log('did self takes ' + next?.n))
  import.meta.hot.accept((next) => console.log('did self also takes ' + next?.n))
}`, n)
}

func hotKeeps(n int) string {
	return fmt.Sprintf(`const hot = import.meta.hot
console.log('did keep ' + JSON.stringify(hot?.data))
if (import.meta.hot) {
  import.meta.hot.decline()
  import.meta.hot.prune(() => console.log('did prune'))
  import.meta.hot.accept()
  import.meta.hot.dispose(async (data) => { await null; data.n = (data.n ?? 0) + %d; console.log('did dispose') })
  import.meta.hot.on('vite:beforeUpdate', ({ type, updates }) => console.log('did before ' + type + updates.map(({ path, acceptedPath }) => ' ' + path + ' ' + acceptedPath).sort()))
  import.meta.hot.on('vite:beforeFullReload', () => console.log('did before a load'))
}`, n)
}

// hotGivesUp is a module that accepts itself, and then calls invalidate.
func hotGivesUp(n int) string {
	return fmt.Sprintf(`export const n = %d; console.log('did try ' + n)
import.meta.hot?.on('vite:invalidate', ({ path, message }) => console.log('did invalid ' + path + ' ' + message))
import.meta.hot?.accept(() => import.meta.hot?.invalidate('too hard'))
if (n === 0) import.meta.hot?.invalidate('never replaced')`, n)
}

// Each row changes the project as the rows before it have left it. Bellglass replaces
// the same modules as Vite's development server, runs the same code in them, and loads the page
// for the same changes.
func TestModulesAreReplacedAsByVite(t *testing.T) {
	t.Parallel()
	dir := newProject(t, hotModules)
	writeFile(t, dir, "/vite.config.mjs", toldConfig)
	vite := startVite(t, dir)
	g := glass.Start(t, func(c *server.Config) { c.Live = true })
	files := maps.Clone(hotModules)
	sandbox := g.NewSandbox(t, files, glass.AllScripts)
	theirs, ours := watch(t, vite), watch(t, sandbox.HostURL())
	if want, got := theirs.next(), ours.next(); got != want {
		t.Fatalf("the modules do %s, by Vite %s", got, want)
	}
	for _, step := range []struct {
		name, path, text string
		ends             int // number of updates and loads that it causes
	}{
		{"it accepts itself", "/self.ts", hotSelf(2), 1},
		{"and once more", "/self.ts", hotSelf(3), 1},
		{"its importer accepts it", "/dep.ts", `export const name: string = 'dep 2'; console.log('did dep 2')`, 1},
		{"its importer accepts itself, and so does another", "/child.ts", `import './grandchild'; export const value: number = 2; console.log('did child 2')`, 1},
		{"two modules below", "/grandchild.ts", `console.log('did grandchild 2')`, 1},
		{"a text", "/text.txt", "text 2", 1},
		{"in a ring, at the one that accepts itself", "/ring-a.ts", `import './ring-b'; console.log('did ring-a 2'); import.meta.hot?.accept(() => console.log('did ring-a takes'))`, 1},
		{"one of two that are accepted", "/left.ts", `import './both'; export const l = 'l2'; console.log('did left 2')`, 1},
		{"below both", "/both.ts", `console.log('did both 2')`, 1},
		{"nobody accepts it", "/deep.ts", `console.log('did deep 2')`, 1},
		{"JSON that nobody accepts", "/data.json", `{ "n": 2 }`, 1},
		{"data and dispose", "/keeps.ts", hotKeeps(10), 1},
		{"data and dispose again", "/keeps.ts", hotKeeps(100), 1},
		{"no longer accepted: the version that runs decides", "/parent.ts", `import { value } from './child'; console.log('did parent again ' + value)`, 1},
		{"now it is not", "/parent.ts", `import { value } from './child'; console.log('did parent at last ' + value)`, 1},
		{"accepted again: the version that runs decides", "/plain.ts", `import './deep'; console.log('did plain 2'); import.meta.hot?.accept()`, 1},
		{"now it is", "/deep.ts", `console.log('did deep 3')`, 1},
		{"the page", "/main.ts", hotModules["/main.ts"] + "console.log('did main end')\n", 1},
		{"the page's markup", "/index.html", hotModules["/index.html"] + "<p>Text</p>", 1},
		{"in a ring, at the others", "/ring-c.ts", `import './ring-a'; console.log('did ring-c 2')`, 1},
		{"it gives up, and its importer takes over", "/gives-up.ts", hotGivesUp(2), 2},
		{"it gives up again", "/gives-up.ts", hotGivesUp(3), 2},
		{"it gives up, and nobody takes over", "/stubborn.ts", hotGivesUp(2), 2},
	} {
		files[step.path] = step.text
		put(t, sandbox, step.path, step.text)
		writeFile(t, dir, step.path, step.text)
		tell(t, vite, step.path)
		for range step.ends {
			want, got := theirs.next(), ours.next()
			t.Logf("%s: %s", step.name, want)
			if got != want {
				t.Errorf("%s: the modules do %s, by Vite %s", step.name, got, want)
			}
		}
	}
}

// toldConfig makes Vite hear of changes by requests alone. Its watcher drops a change of a file that has
// changed less than 50 ms before, and can read a file that is not completely written.
const toldConfig = `export default {
  server: { watch: null },
  plugins: [{ name: 'told', configureServer({ middlewares, watcher, config }) {
    middlewares.use('/told', ({ url }, response) => {
      watcher.emit('change', config.root + url)
      response.end()
    })
  } }],
}
`

// tell tells Vite that a file has changed.
func tell(t *testing.T, vite, path string) {
	t.Helper()
	response, err := http.Get(vite + "/told" + path)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Fatalf("Vite answers %s", response.Status)
	}
}
