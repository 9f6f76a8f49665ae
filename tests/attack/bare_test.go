package attack

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/canary"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// net/http itself answers requests that it cannot read, before any handler runs, and thus
// without a policy. A document of the sandbox's own origin without a policy is a way out: the
// page can reach into it, and nothing restricts what it does from there. Page code can make a
// browser send such requests.

// An attempt is the body of an async function. TARGET, in its code, is an address of the
// canary. The function returns when the attempt is over.
type attempt struct{ name, code string }

// attemptHelpers are available to every attempt. frame resolves when the frame has loaded, has
// failed, or was blocked by the browser's policy.
const attemptHelpers = `
const frame = (make) => {
  const f = document.createElement('iframe')
  const done = new Promise((resolve) => {
    for (const type of ['load', 'error']) f.addEventListener(type, resolve, { once: true })
    addEventListener('securitypolicyviolation', () => resolve(), { once: true })
  })
  make(f)
  document.body.append(f)
  return done
}
`

// bareRequests are bodies of async functions. Each loads a document of its own origin that
// net/http rejects, and returns the frame.
var bareRequests = []attempt{
	{"escape-without-digits", `await frame((f) => { f.src = '/%zz' })`},
	{"header-too-long", `await frame((f) => { f.src = '/' + 'a'.repeat(100_000) })`},
}

// fromWithin unregisters the worker, which would have answered, loads the document, and
// fetches TARGET from inside it.
func fromWithin(a attempt) attempt {
	return attempt{a.name, `for (const r of await navigator.serviceWorker.getRegistrations()) await r.unregister()
` + a.code + `
try { await document.querySelector('iframe').contentWindow.fetch(TARGET, { mode: 'no-cors' }) } catch {}`}
}

func TestNoDocumentIsWithoutAPolicy(t *testing.T) {
	t.Parallel()
	birds := canary.Start(t)
	plain, defended := startUnguarded(t), glass.Start(t)
	for _, a := range bareRequests {
		t.Run(a.name, func(t *testing.T) {
			try(t, plain, birds, fromWithin(a), a.name+"-control", false)
			try(t, defended, birds, fromWithin(a), a.name, true)
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			if err := birds.Quiesce(ctx); err != nil {
				t.Fatal(err)
			}
			if hits := birds.Hits(a.name); len(hits) > 0 {
				t.Errorf("it got out: %+v", hits)
			}
		})
	}
}

// startUnguarded is the control: all defenses except the guard of the connections.
func startUnguarded(t testing.TB) *glass.Server {
	t.Helper()
	listeners := glass.Listen(t)
	port := listeners[0].Addr().(*net.TCPAddr).Port
	// Its handlers may outlive the test.
	g := glass.New(t, port, func(c *server.Config) { c.Log = glass.Quiet })
	h := &http.Server{Handler: g, MaxHeaderBytes: 64 << 10}
	for _, l := range listeners {
		go h.Serve(l)
	}
	t.Cleanup(func() { h.Close() })
	return g
}

// try runs the attempt in a sandbox of its own, and closes the browser context, which ends all
// its connections. With defenses, it first makes sure that the attempt had its chance. It
// waits until a later request of the same page, which a rule allows, has arrived.
func try(t *testing.T, g *glass.Server, birds *canary.Canary, a attempt, token string, defended bool) {
	t.Helper()
	late := token + "-late"
	policy := glass.AllScripts + fmt.Sprintf("rules:\n  - id: late\n    allow: %s\n    types: [fetch]\n", birds.URL(late, "/late"))
	v := g.Open(t, "localhost", g.NewSandbox(t, map[string]string{"/index.html": glass.BlankPage}, policy))
	if _, err := v.Evaluate(fmt.Sprintf("async () => { const TARGET = %q\n%s\n%s }", birds.URL(token, "/secret.js"), attemptHelpers, a.code)); err != nil {
		t.Errorf("the attempt ended with: %v", err)
	}
	if defended {
		v.Eval(fmt.Sprintf("() => fetch(%q).then((r) => r.status)", birds.URL(late, "/late")))
		token = late
	}
	ctx, cancel := context.WithTimeout(t.Context(), browser.Patience)
	defer cancel()
	if _, err := birds.Wait(ctx, token); err != nil {
		t.Fatalf("%s does not arrive: %v", token, err)
	}
	if err := v.Page.Context().Close(); err != nil {
		t.Fatal(err)
	}
}
