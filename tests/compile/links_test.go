package compile

import (
	"maps"
	"strings"
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
}

// The header Link of a page makes the browser load all modules of its scripts, each once, even if the
// page never runs them. WebKit gets no header.
func TestModulesLoadByTheHeaderOfTheirPage(t *testing.T) {
	t.Parallel()
	g := glass.Start(t)
	for page, scripts := range map[string]string{
		"a page that runs them": `<script type="module" src="/main.ts"></script>`,
		"a page that does not":  `<template><script type="module" src="/main.ts"></script></template><script src="/inert.js"></script>`,
	} {
		for name, open := range glass.Engines {
			if name == "WebKitGTK" && strings.Contains(scripts, "template") {
				continue
			}
			t.Run(page+"/"+name, func(t *testing.T) {
				t.Parallel()
				files := maps.Clone(linked)
				files["/index.html"] = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Linked</title><script src="/requested.js"></script>` + scripts
				sandbox := g.NewSandbox(t, files, glass.BlockAll)
				open(t, sandbox.HostURL())
				if got, want := said(t, g, sandbox, "seen "), "/a.ts /b.ts /c.ts /main.ts"; got != want {
					t.Errorf("the document has requested %s, want %s", got, want)
				}
			})
		}
	}
}
