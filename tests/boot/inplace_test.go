package boot

import (
	"fmt"
	"testing"

	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// A load in place skips no check: a changed policy brings another worker, and is in force for
// the next document. A view without its worker gets it back. Only a change of files alone is
// seen without a boot.
func TestLoadsInPlaceAreChecked(t *testing.T) {
	t.Parallel()
	page := func(word string) string {
		return fmt.Sprintf(`<!doctype html><html lang="en"><meta charset="utf-8"><title>In place</title><p id="word">%s</p><p id="ran"></p><script>document.getElementById('ran').textContent = 'ran'</script>`, word)
	}
	open := func(t *testing.T) (func(server.Edit), *glass.View) {
		g := glass.Start(t, func(c *server.Config) { c.Live = true })
		sandbox := g.NewSandbox(t, map[string]string{"/index.html": page("one")}, glass.AllScripts)
		v := g.Open(t, "localhost", sandbox)
		if got := v.Text("#ran"); got != "ran" {
			t.Fatalf("at first the script says %q", got)
		}
		if _, err := v.Page.Evaluate(`() => {
			const state = document.querySelector('[data-testid=state]')
			globalThis.states = []
			new MutationObserver(() => states.push(state.dataset.state)).observe(state, { attributes: true, attributeFilter: ['data-state'] })
		}`); err != nil {
			t.Fatal(err)
		}
		return func(edit server.Edit) {
			t.Helper()
			edit.All = g.Files(t, map[string]string{"/index.html": page("two")})
			if _, err := sandbox.Edit(edit); err != nil {
				t.Fatal(err)
			}
		}, v
	}
	shows := func(t *testing.T, v *glass.View, word string) {
		t.Helper()
		frame := v.Page.FrameLocator("#view iframe").FrameLocator("iframe")
		if err := browser.Expect(frame.Locator("#word")).ToHaveText(word); err != nil {
			t.Fatal(err)
		}
		v.WaitState("ready")
	}
	booted := func(t *testing.T, v *glass.View, want bool) {
		t.Helper()
		states, err := v.Page.Evaluate(`() => states.includes('booting')`)
		if err != nil || states != want {
			t.Errorf("the view was booted: %v, want %v, %v", states, want, err)
		}
	}
	t.Run("files alone", func(t *testing.T) {
		t.Parallel()
		change, v := open(t)
		change(server.Edit{})
		shows(t, v, "two")
		booted(t, v, false)
	})
	t.Run("the policy binds the worker otherwise", func(t *testing.T) {
		t.Parallel()
		change, v := open(t)
		change(server.Edit{Policy: glass.Parse(t, glass.BlockAll+"rules:\n  - id: one\n    allow: https://one.example\n")})
		shows(t, v, "two")
		if got := v.Text("#ran"); got != "" {
			t.Errorf("under the new policy the script %s", got)
		}
		booted(t, v, true)
	})
	t.Run("the policy demands containment", func(t *testing.T) {
		t.Parallel()
		change, v := open(t)
		change(server.Edit{Policy: glass.Parse(t, full)})
		v.WaitState("failed")
		v.WaitFor(`[data-testid=state][data-code=containment-missing]`)
	})
	t.Run("the worker is gone", func(t *testing.T) {
		t.Parallel()
		change, v := open(t)
		v.Unregister()
		change(server.Edit{})
		shows(t, v, "two")
		if got := v.Eval(`() => navigator.serviceWorker.controller !== null`); got != true {
			t.Error("the view has no worker")
		}
		booted(t, v, true)
	})
}
