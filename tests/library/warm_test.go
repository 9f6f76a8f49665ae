package library

import (
	"testing"

	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// A warm view boots and shows nothing. Once its sandbox has files, it shows them without another
// boot. It also shows them if the sandbox is filled before the boot ends, and after a reload.
func TestWarmViews(t *testing.T) {
	t.Parallel()
	for name, open := range glass.Engines {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			origin := startLibraryPage(t, nil)
			g := glass.Start(t, func(c *server.Config) { c.Embedders = []string{origin} })
			warm, err := g.Warm(glass.Parse(t, glass.AllScripts), 4)
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
			page := open(t, libraryURL(origin, g, patience, warm[0].OuterURL(), warm[1].OuterURL(), warm[2].OuterURL(), warm[3].OuterURL()))
			eval := func(expression string) (text string) {
				t.Helper()
				page.Eval(t, expression, &text)
				return text
			}
			states := func(id string) string {
				return `log.filter(({ id, type }) => id === '` + id + `' && type === 'state').map(({ detail }) => detail.state).join()`
			}
			eval(`loaded.then(() => heard('s2', 'state')).then(() => '')`)
			fill(warm[2], "early")
			if got := eval(`heard('s0', 'state', ({ state }) => state !== 'booting').then(() => ` + states("s0") + `)`); got != "booting,warm" {
				t.Fatalf("the states are %s", got)
			}
			if got := eval(`heard('s2', 'console', ({ text }) => text === 'early').then(({ text }) => text)`); got != "early" {
				t.Error(got)
			}
			if got := eval(`(async () => {
				await heard('s3', 'state', ({ state }) => state === 'warm')
				const from = log.length
				by('s3').reload()
				await heard('s3', 'state', ({ state }) => state === 'warm', from)
				return ` + states("s3") + `
			})()`); got != "booting,warm,booting,warm" {
				t.Fatalf("after a reload while warm the states are %s", got)
			}
			if _, err := warm[3].SetPolicy(glass.Parse(t, glass.AllScripts+"rules:\n  - allow: https://api.example/**\n")); err != nil {
				t.Fatal(err)
			}
			fill(warm[3], "by another policy")
			if got := eval(`Promise.all([heard('s3', 'ready'), heard('s3', 'console', ({ text }) => text === 'by another policy')]).then(() => ` + states("s3") + `)`); got != "booting,warm,booting,warm,booting,ready" {
				t.Errorf("with another policy the states are %s", got)
			}
			if got := eval(`heard('s1', 'console', ({ text }) => text === 'at once').then(({ text }) => text)`); got != "at once" {
				t.Error(got)
			}
			fill(warm[0], "filled")
			if got := eval(`heard('s0', 'console', ({ text }) => text === 'filled').then(() => heard('s0', 'ready')).then(() => ` + states("s0") + `)`); got != "booting,warm,ready" {
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
