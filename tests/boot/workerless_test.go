package boot

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/canary"
	"github.com/bellglass/bellglass/tests/internal/glass"
	"github.com/bellglass/bellglass/tests/internal/nocors"
)

// In a browser without workers, a sandbox that prefers a worker runs under the rules that the
// browser enforces exactly, and nothing else gets out. A sandbox that requires one does not
// run.
func TestWithoutAWorker(t *testing.T) {
	t.Parallel()
	for engine, open := range glass.WorkerlessEngines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			testWithoutAWorker(t, open, false)
		})
	}
	t.Run("with its worker", func(t *testing.T) {
		t.Parallel()
		testWithoutAWorker(t, glass.OpenChromium, true)
	})
}

func testWithoutAWorker(t *testing.T, open func(*testing.T, string) glass.Page, withWorker bool) {
	birds := canary.Start(t)
	ways := []string{"image", "script", "fetch"}
	// Each is another host, requested in each way. A source for http alone would let https
	// through.
	hosts := map[string]string{"exact": "127.0.0.1", "inexact": "localhost", "undeclared": "other.localhost"}
	loadsOf := func(kind string) (loads []nocors.Load) {
		for _, host := range []string{"exact", "inexact", "undeclared"} {
			for _, way := range ways {
				path := kind + "-" + way
				birds.Answer("/"+host+"-"+kind+"/"+path, nocors.Answers("")[way])
				loads = append(loads, nocors.Load{Way: way, URL: birds.URLAt(hosts[host], host+"-"+kind, path)})
			}
		}
		return loads
	}
	arrived := func(kind string) string {
		return fmt.Sprint(len(birds.Hits("exact-"+kind)), len(birds.Hits("inexact-"+kind)), len(birds.Hits("undeclared-"+kind)))
	}

	birds.Answer("/bare/page", canary.Answer{Header: map[string][]string{"Content-Type": {"text/html"}}, Body: nocors.Files(t, loadsOf("bare"))["/index.html"]})
	var through bool
	open(t, birds.URL("bare", "page")).Eval(t, "through", &through)
	if got := arrived("bare"); got != "3 3 3" {
		t.Errorf("undefended, %s requests arrive, want 3 3 3", got)
	}

	g := glass.Start(t)
	policy := fmt.Sprintf("%srules:\n  - {id: exact, allow: [\"http://127.0.0.1:%[2]d\", \"https://127.0.0.1:%[2]d\"]}\n  - {id: inexact, allow: \"http://localhost:%[2]d\"}\n", glass.AllScripts, birds.Port())
	preferring := g.NewSandbox(t, nocors.Files(t, loadsOf("preferring")), "worker: preferred\n"+policy)
	host := open(t, preferring.HostURL())
	if nocors.Outcome(t, preferring, nil); arrived("preferring") != map[bool]string{true: "3 3 0", false: "3 0 0"}[withWorker] {
		t.Errorf("%s requests of the sandbox arrive", arrived("preferring"))
	}
	var state, told string
	host.Eval(t, outcomeState, &state)
	host.Eval(t, `(async () => {
		const row = () => document.querySelector('[data-testid=lifecycle][data-step=without-worker]')
		while (!row() && !`+fmt.Sprint(withWorker)+`) await new Promise(requestAnimationFrame)
		return row()?.innerText ?? ''
	})()`, &told)
	if state != "ready" || strings.Contains(told, "No service worker") == withWorker {
		t.Errorf("the host page shows the state %q, and says %q", state, told)
	}

	requiring := g.NewSandbox(t, nocors.Files(t, loadsOf("requiring")), policy)
	required := open(t, requiring.HostURL())
	if withWorker {
		nocors.Outcome(t, requiring, nil)
		if got := arrived("requiring"); got != "3 3 0" {
			t.Errorf("%s requests of the sandbox that requires the worker arrive, want 3 3 0", got)
		}
		return
	}
	required.Eval(t, `(async () => {
		while (document.querySelector('[data-testid=state]').dataset.state !== 'failed') await new Promise(requestAnimationFrame)
		return document.body.innerText
	})()`, &told)
	if got := arrived("requiring"); got != "0 0 0" || !strings.Contains(told, "storage-blocked") {
		t.Errorf("%s requests of a sandbox that requires the worker got out, and the host page shows %q", got, told)
	}
	// An execution needs the worker, which serves its code.
	ctx, cancel := context.WithTimeout(t.Context(), browser.Patience)
	defer cancel()
	ended, err := preferring.Execute(ctx, server.Execution{Code: "export default 1", Timeout: time.Minute})
	if err != nil || ended.Error == nil || ended.Error.Code != protocol.FailureViewFailed || !strings.Contains(ended.Error.Message, "storage-blocked") {
		t.Errorf("an execution ends with %+v, %v", ended.Error, err)
	}
}

// outcomeState waits until the view has started or failed.
const outcomeState = `(async () => {
	const state = () => document.querySelector('[data-testid=state]')?.dataset.state
	while (state() !== 'ready' && state() !== 'failed') await new Promise(requestAnimationFrame)
	return state()
})()`
