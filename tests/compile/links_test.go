package compile

import (
	"maps"
	"testing"

	"github.com/bellglass/bellglass/tests/internal/glass"
)

// linked are modules that import each other in a row. The page's script prints what the document has
// requested, after a load.
var linked = map[string]string{
	"/main.ts": `import { a } from './a'
if (a === 0) void import('./never')
if (document.readyState !== 'complete') await new Promise((resolve) => addEventListener('load', resolve))
console.log('seen ' + requested())
`,
	"/a.ts":     `export { a } from './b'`,
	"/b.ts":     `export { a } from './c'`,
	"/c.ts":     `export const a: number = 1`,
	"/never.ts": `export {}`,
	"/requested.js": `function requested() {
  return performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname).filter((path) => path.endsWith('.ts')).sort().join(' ')
}`,
	"/inert.js": `const seen = new PerformanceObserver(() => {
  if (requested().split(' ').length < 4) return
  seen.disconnect()
  console.log('seen ' + requested())
})
seen.observe({ type: 'resource', buffered: true })
`,
	"/map.js": `const map = document.createElement('script')
map.type = 'importmap'
map.textContent = '{ "imports": { "mapped": "/c.ts" } }'
document.head.append(map)
`,
	"/mapped.js": `const { a } = await import(['mapped'][0])
console.log('seen ' + a + ' by the map')
`,
}

// The header Link of a page makes Chromium load all modules of its scripts, even if the page never runs
// them. Each engine loads each module once, and an import map that a script adds has its effect.
func TestModulesLoadByTheHeaderOfTheirPage(t *testing.T) {
	t.Parallel()
	g := glass.Start(t)
	chromium := map[string]func(*testing.T, string) glass.Page{"Chromium": glass.OpenChromium}
	for page, row := range map[string]struct {
		scripts string
		engines map[string]func(*testing.T, string) glass.Page
		want    string
	}{
		"a page that runs them": {`<script type="module" src="/main.ts"></script>`, glass.Engines, "/a.ts /b.ts /c.ts /main.ts"},
		"a page that does not":  {`<template><script type="module" src="/main.ts"></script></template><script src="/inert.js"></script>`, chromium, "/a.ts /b.ts /c.ts /main.ts"},
		"a map that a script adds": {`<script src="/map.js"></script><script type="module" src="/mapped.js"></script><template><script type="module" src="/main.ts"></script></template>`,
			glass.Engines, "1 by the map"},
	} {
		for name, open := range row.engines {
			t.Run(page+"/"+name, func(t *testing.T) {
				t.Parallel()
				files := maps.Clone(linked)
				files["/index.html"] = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Linked</title><script src="/requested.js"></script>` + row.scripts
				sandbox := g.NewSandbox(t, files, glass.AllScripts)
				open(t, sandbox.HostURL())
				if got := said(t, g, sandbox, "seen "); got != row.want {
					t.Errorf("the page says %s, want %s", got, row.want)
				}
			})
		}
	}
}
