package mapping

import (
	"context"
	"maps"
	"slices"
	"testing"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// scriptsFiles try everything that the words of scripts can open.
var scriptsFiles = map[string]string{
	"/index.html": `<!doctype html><title>Scripts</title><script>1</script><script src="/main.js"></script>`,
	"/main.js": `const blob = URL.createObjectURL(new Blob(['1'], { type: 'text/javascript' }))
const quietly = async (go) => { try { await go() } catch {} }
quietly(() => setTimeout('1', 0))
quietly(() => WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])))
quietly(() => new Worker(blob))
quietly(() => import(blob))
`,
}

// The log of each engine names the word of scripts that would open what was blocked.
func TestScriptsWordsAreTold(t *testing.T) {
	t.Parallel()
	for engine, open := range glass.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			want := map[string]bool{}
			for _, word := range rules.Scripts {
				want[`the policy does not list "`+string(word)+`" under scripts`] = true
			}
			if engine == "WebKitGTK" {
				// WebKitGTK 2.50 compiles WebAssembly, whatever the policy says.
				delete(want, `the policy does not list "wasm" under scripts`)
			}
			g := glass.Start(t)
			sandbox := g.NewSandbox(t, scriptsFiles, glass.BlockAll)
			open(t, sandbox.HostURL())
			ctx, cancel := context.WithTimeout(t.Context(), browser.Patience)
			defer cancel()
			for event, err := range sandbox.Events(ctx, server.EventFilter{}, 0) {
				if err != nil {
					t.Fatalf("nothing says %v", slices.Sorted(maps.Keys(want)))
				}
				if e, is := event.(protocol.ViolationEvent); is {
					if e.Code != "scripts" {
						t.Errorf("%s by %s is not reported with the code scripts: %s", e.Target, e.Directive, e.Reason)
					}
					delete(want, e.Reason)
				}
				if len(want) == 0 {
					return
				}
			}
		})
	}
}
