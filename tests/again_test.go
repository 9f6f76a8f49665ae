package tests

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/playwright-community/playwright-go"
)

// A change of the policy makes the next load of the view's document begin with
// the boot page, which loads it again. However often that happens in one view, it
// is no loop; and what the page keeps in its history entry stays the page's.
func TestPolicyChangesOftenInOneView(t *testing.T) {
	t.Parallel()
	g := startGlass(t)
	sandbox := g.sandbox(t, bootFiles, allScripts)
	v := g.open(t, "localhost", sandbox)
	v.eval(`() => history.replaceState({ page: 7 }, '')`)
	for change := 1; change <= 6; change++ {
		policy := fmt.Sprintf("%srules:\n  - id: some\n    allow: https://%d.example.com\n", allScripts, change)
		if _, err := sandbox.SetPolicy(parse(t, policy)); err != nil {
			t.Fatal(err)
		}
		v.reload()
		if text := v.text("#word"); text != "ran" {
			t.Fatalf("after change %d of the policy the view shows %q", change, text)
		}
		if got := v.eval(`() => JSON.stringify(history.state)`); got != `{"page":7}` {
			t.Errorf("after change %d of the policy the page's history entry holds %v", change, got)
		}
	}
	v.waitState("ready")
}

// A worker that never lets go of the page for the next one ends the boot, and
// that is what is said.
func TestHeldWorkerEndsTheBoot(t *testing.T) {
	t.Parallel()
	var scripts atomic.Int64 // how often the worker's script was asked for
	g := startGlassBehind(t, func(next http.Handler) http.Handler {
		next = anotherBundle(func() bool { return true })(next)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/.bellglass/sw.js" {
				next.ServeHTTP(w, r)
				return
			}
			// Each time another script, so that there is always one to take over.
			recorded := httptest.NewRecorder()
			next.ServeHTTP(recorded, r)
			for name, values := range recorded.Header() {
				w.Header()[name] = values
			}
			fmt.Fprintf(w, "%s\n// %d\n", recorded.Body, scripts.Add(1))
		})
	})
	sandbox, page := g.sandbox(t, bootFiles, allScripts), newPage(t)
	// The page does not hear that a worker takes over from another, and once one
	// is there to do so the deadline comes at once.
	script := fmt.Sprintf(`if (location.origin === %q) {
		const { addEventListener } = EventTarget.prototype, { setTimeout } = window, { update } = ServiceWorkerRegistration.prototype
		let over = false
		ServiceWorkerContainer.prototype.addEventListener = function (type, ...rest) {
			if (type !== 'controllerchange' || this.controller === null) addEventListener.call(this, type, ...rest)
		}
		ServiceWorkerRegistration.prototype.update = async function () {
			const updated = await update.call(this)
			over = true
			return updated
		}
		window.setTimeout = (f, ms) => setTimeout(f, over && ms === 10_000 ? 0 : ms)
		ServiceWorkerContainer.prototype.getRegistrations = new Proxy(ServiceWorkerContainer.prototype.getRegistrations, { apply: (f, self, args) => { over = false; return Reflect.apply(f, self, args) } })
	}`, sandbox.URL())
	if err := page.Context().AddInitScript(playwright.Script{Content: &script}); err != nil {
		t.Fatal(err)
	}
	v := g.visit(t, page, sandbox)
	v.waitFailed("boot-loop")
	if text, err := v.page.Locator("#failure-text").TextContent(); err != nil || !strings.Contains(text, "keeps the worker of an earlier version") {
		t.Errorf("the host page says %q, %v", text, err)
	}
}
