package boot

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/tests/internal/glass"
)

// Code runs with the host page opened under each of the machine's names.

// rounds is how often each name is tried, so that a handshake that depends on luck would fail.
const rounds = 7

var codeFiles = map[string]string{
	"/index.html": `<!doctype html><html lang="en"><meta charset="utf-8"><title>Code</title><pre id="result"></pre>
<script>window.inline = 6 * 7; console.info('inline')</script>
<script type="module" src="/main.js"></script>`,
	"/main.js": `import { double } from './lib/double.js'
const { triple } = await import('/lib/triple.js')
const data = await (await fetch('data.json')).json()
console.log('relayed', { from: 'main' }, [1, 2])
console.warn('%s of %d', 'two', 2)
document.getElementById('result').textContent = JSON.stringify([window.inline, double(21), triple(14), data.answer])
setTimeout(() => {
  throw new RangeError('thrown on purpose')
}, 0)
`,
	"/lib/double.js":       "export { double } from './inner/double.js'\n",
	"/lib/inner/double.js": "export const double = (n) => 2 * n\n",
	"/lib/triple.js":       "export const triple = (n) => 3 * n\n",
	"/data.json":           `{"answer": 42}`,
}

func TestCodeRuns(t *testing.T) {
	t.Parallel()
	for i, naming := range glass.Namings {
		g, rounds := glass.Start(t, glass.Named(naming)), rounds
		if i > 0 {
			rounds = 1 // the first naming has already ruled out luck
		}
		t.Run(naming, func(t *testing.T) {
			for _, host := range []string{"localhost", "127.0.0.1", "[::1]"} {
				t.Run(host, func(t *testing.T) {
					for round := 1; round <= rounds; round++ {
						t.Run(fmt.Sprint(round), func(t *testing.T) { runCode(t, g, host) })
					}
				})
			}
		})
	}
}

func runCode(t *testing.T, g *glass.Server, host string) {
	sandbox := g.NewSandbox(t, codeFiles, "version: 1\ndefault: block\nscripts: [inline]\n")
	v := g.Open(t, host, sandbox)
	if err := v.Frame().Locator("#result:not(:empty)").WaitFor(); err != nil {
		t.Fatal(err)
	}
	if text := v.Text("#result"); text != "[42,42,42,42]" {
		t.Errorf("inline code, import, dynamic import and fetch gave %s, want four times 42", text)
	}
	for _, line := range []struct{ level, text string }{
		{"log", "relayed {from: main} [1, 2]"},
		{"warn", "two of 2"},
		{"info", "inline/:"}, // "/" is the place of code in the page at the root
	} {
		row := v.WaitFor(fmt.Sprintf(`[data-testid=console-line][data-kind=console][data-level=%s]`, line.level))
		text, err := row.TextContent()
		if err != nil {
			t.Fatal(err)
		}
		// Strings inside objects are quoted. This test ignores the quotes.
		if !strings.Contains(strings.ReplaceAll(text, `"`, ""), line.text) {
			t.Errorf("the console line is %q, want %q in it", text, line.text)
		}
	}
	text, err := v.WaitFor(`[data-testid=console-line][data-kind=error]`).TextContent()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"RangeError: thrown on purpose", "main.js:8"} {
		if !strings.Contains(text, want) {
			t.Errorf("the error is relayed as %q, want %q in it", text, want)
		}
	}
}
