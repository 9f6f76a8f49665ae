package library

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/tests/internal/glass"
)

// hotProject logs which of its modules run, and which callbacks and events they get.
var hotProject = map[string]string{
	"/index.html": `<!doctype html><html lang="en"><meta charset="utf-8"><title>Hot</title><link rel="stylesheet" href="/page.css"><script src="/run.js"></script><script>globalThis.did = []; globalThis.born = Math.random()</script><script type="module" src="/main.ts"></script>`,
	"/run.js":     runner,
	"/page.css":   `body { color: rgb(1, 1, 1) }`,
	"/main.ts": `import { name } from './dep'
import './self'
import './parent'
did.push('main ' + name)
import.meta.hot?.accept('./dep', (next) => did.push('main takes ' + next?.name))`,
	"/dep.ts":    `export const name: string = 'dep 1'; did.push('dep')`,
	"/self.ts":   self(1),
	"/parent.ts": `import { value } from './child'; did.push('parent ' + value); import.meta.hot?.accept()`,
	"/child.ts":  `export const value: number = 1; did.push('child')`,
	"/types.ts":  `declare global { var did: string[] }; export {}`,
}

func self(n int) string {
	return fmt.Sprintf(`const hot = import.meta.hot
did.push('self %d after ' + (hot?.data.count ?? 0))
const button = document.createElement('button')
document.body.append(button)
if (import.meta.hot) {
  import.meta.hot.accept((next) => did.push('self takes ' + next?.version))
  import.meta.hot.dispose((data) => { button.remove(); data.count = %[1]d; did.push('dispose %[1]d') })
  import.meta.hot.on('vite:beforeUpdate', ({ updates }) => did.push('before ' + updates.map(({ acceptedPath }) => acceptedPath)))
}
export const version = %[1]d`, n)
}

// Modules that accept a change are replaced, and the document stays. Any other change is a load.
func TestModulesAreReplaced(t *testing.T) {
	t.Parallel()
	for name, open := range glass.Engines {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := openLive(t, open, glass.AllScripts, hotProject)
			const whole = `new Promise((resolve) => { const look = () => did.some((line) => line.startsWith('main ')) ? resolve() : setTimeout(look, 10); look() })`
			did := func() string {
				return v.eval(`asked(` + glass.Literal(t, whole+`.then(() => did.splice(0).join('; ') + ' | ' + document.querySelectorAll('button').length + (document.querySelector('bellglass-overlay') === null ? '' : ' overlay'))`) + `)`)
			}
			born := v.eval(`asked('String(born)')`)
			if got := did(); got != "dep; self 1 after 0; child; parent 1; main dep 1 | 1" {
				t.Fatalf("the modules did %s", got)
			}
			const after = `did.splice(0).join('; ') + ' | ' + document.querySelectorAll('button').length + (document.querySelector('bellglass-overlay') === null ? '' : ' overlay')`
			for _, step := range []struct {
				name   string
				change map[string]string
				manner string
				want   string
			}{
				{"a module that accepts itself", map[string]string{"/self.ts": self(2)}, "modules", "before /self.ts; dispose 1; self 2 after 1; self takes 2 | 1"},
				{"a dependency", map[string]string{"/dep.ts": `export const name: string = 'dep 2'; did.push('dep')`}, "modules", "before /dep.ts; dep; main takes dep 2 | 1"},
				{"the child of one that accepts itself", map[string]string{"/child.ts": `export const value: number = 2; did.push('child')`}, "modules", "before /parent.ts; child; parent 2 | 1"},
				{"a file that no module imports", map[string]string{"/later.ts": `did.push('later')`}, "modules", " | 1"},
				{"a new import", map[string]string{"/parent.ts": `import './later'; import { value } from './child'; did.push('parent ' + value); import.meta.hot?.accept()`}, "modules", "before /parent.ts; later; parent 2 | 1"},
				{"a mistake", map[string]string{"/child.ts": `export const value: number = ;`}, "modules", "before /parent.ts | 1 overlay"},
				{"the mistake is fixed", map[string]string{"/child.ts": `export const value: number = 3`}, "modules", "before /parent.ts; parent 3 | 1"},
				{"a style sheet with a module", map[string]string{"/page.css": `body { color: rgb(2, 2, 2) }`, "/self.ts": self(3)}, "modules", "before /self.ts; dispose 2; self 3 after 2; self takes 3 | 1"},
			} {
				v.eval(fmt.Sprintf(`shown('%s', %d).then(({ path }) => path)`, step.manner, v.write(step.change)))
				if got := v.eval(`asked(` + glass.Literal(t, after) + `)`); got != step.want {
					t.Errorf("%s: the modules did %s, want %s", step.name, got, step.want)
				}
			}
			if got := v.eval(`asked('getComputedStyle(document.body).color + " " + born')`); got != "rgb(2, 2, 2) "+born {
				t.Errorf("the document has %s, want the new sheet and %s", got, born)
			}
			v.eval(fmt.Sprintf(`shown('document', %d).then(({ path }) => path)`, v.write(map[string]string{"/main.ts": strings.Replace(v.files["/main.ts"], "'main '", "'main again '", 1)})))
			if got := did(); got != "dep; self 3 after 0; later; parent 3; main again dep 2 | 1" {
				t.Errorf("after the load the modules did %s", got)
			}
			v.notBooted()
		})
	}
}
