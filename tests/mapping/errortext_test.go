package mapping

import (
	"strings"
	"testing"

	"github.com/bellglass/bellglass/tests/internal/glass"
)

// For an error, the log says what it is and where it comes from. Only V8's stacks contain
// both.
func TestErrorTexts(t *testing.T) {
	t.Parallel()
	for engine, open := range glass.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			g := glass.Start(t)
			sandbox := g.NewSandbox(t, map[string]string{"/index.html": `<!doctype html><script src="thrown.js"></script>`, "/thrown.js": `
const silent = new TypeError('without a stack')
silent.stack = ''
const stackless = new RangeError('with a stack that is gone')
delete stackless.stack
console.log(silent)
console.log(stackless)
function culprit() { return new SyntaxError('of a function') }
console.log(culprit())
Promise.reject(new DOMException('of the browser', 'DataError'))
`}, glass.AllScripts)
			open(t, sandbox.HostURL())
			var texts []string
			g.Log(t, sandbox, func(event glass.Logged) bool {
				if event.Source == "page" && event.Text != "" {
					texts = append(texts, event.Text)
				}
				return len(texts) == 4
			})
			for i, want := range []string{"TypeError: without a stack", "RangeError: with a stack that is gone", "SyntaxError: of a function\n", "Unhandled rejection: DataError: of the browser"} {
				if !strings.HasPrefix(texts[i], want) || strings.Count(texts[i], strings.TrimSpace(want)) != 1 {
					t.Errorf("the log says %q, want it to begin with %q", texts[i], want)
				}
			}
			if !strings.Contains(texts[2], "culprit") || !strings.Contains(texts[2], "thrown.js:8:") {
				t.Errorf("the log says %q, which does not name where the error comes from", texts[2])
			}
		})
	}
}
