package library

import (
	"testing"

	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// A warm view boots and shows nothing. Once its sandbox has files it shows them, without another
// boot. It also does so if it is filled before it has booted, and if it is reloaded.
func TestWarmViews(t *testing.T) {
	t.Parallel()
	for name, open := range glass.Engines {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			origin := startLibraryPage(t, nil)
			g := glass.Start(t, func(c *server.Config) { c.Embedders = []string{origin} })
			warm, err := g.Warm(glass.Parse(t, glass.AllScripts), 2)
			if err != nil {
				t.Fatal(err)
			}
			fill := func(sandbox *server.Sandbox, word string) {
				t.Helper()
				files := g.Files(t, map[string]string{"/index.html": `<!doctype html><html lang="en"><meta charset="utf-8"><title>Warm</title><script src="/word.js"></script>`, "/word.js": `console.log('` + word + `')`})
				if _, err := sandbox.Fill(server.Filling{Files: files}); err != nil {
					t.Fatal(err)
				}
			}
			fill(warm[1], "at once")
			page := open(t, libraryURL(origin, g, patience, warm[0].OuterURL(), warm[1].OuterURL()))
			eval := func(expression string) (text string) {
				t.Helper()
				page.Eval(t, expression, &text)
				return text
			}
			const states = `log.filter(({ id, type }) => id === 's0' && type === 'state').map(({ detail }) => detail.state).join()`
			if got := eval(`loaded.then(() => heard('s0', 'state', ({ state }) => state !== 'booting')).then(() => ` + states + `)`); got != "booting,warm" {
				t.Fatalf("the states are %s", got)
			}
			if got := eval(`heard('s1', 'console', ({ text }) => text === 'at once').then(({ text }) => text)`); got != "at once" {
				t.Error(got)
			}
			fill(warm[0], "filled")
			if got := eval(`heard('s0', 'console', ({ text }) => text === 'filled').then(() => heard('s0', 'ready')).then(() => ` + states + `)`); got != "booting,warm,ready" {
				t.Errorf("the states are %s", got)
			}
			if got := eval(`(async () => {
				const from = log.length
				by('s0').liveUpdate = false
				by('s0').reload()
				await heard('s0', 'console', ({ text }) => text === 'filled', from)
				return by('s0').state
			})()`); got != "ready" {
				t.Errorf("after a reload the state is %s", got)
			}
		})
	}
}
