package tests

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/bellglass/bellglass/firewall/firewalltest"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/server"
)

const full = "version: 1\ncontainment: full\nscripts: [inline]\n"

// outcome waits until the host page says what has become of the view.
const outcome = `new Promise((resolve) => {
	const state = document.querySelector('[data-testid=state]')
	const look = () => {
		if (state.dataset.state !== 'ready' && state.dataset.state !== 'failed') return
		resolve([state.dataset.state, document.querySelector('[data-testid=failure]').textContent])
	}
	new MutationObserver(look).observe(state, { attributes: true })
	look()
})`

// evalPage is a page of any engine.
type evalPage interface {
	Eval(t testing.TB, expression string, result any)
}

type chromiumPage struct{ in evaluator }

func (p chromiumPage) Eval(t testing.TB, expression string, result any) {
	t.Helper()
	got, err := evaluateIn(p.in, "async () => JSON.stringify(await ("+expression+"))")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(got.(string)), result); err != nil {
		t.Fatal(err)
	}
}

func openChromium(t *testing.T, url string) evalPage {
	t.Helper()
	page := newPage(t)
	if _, err := page.Goto(url); err != nil {
		t.Fatal(err)
	}
	return chromiumPage{page}
}

// The level is what the browser was seen to enforce, not what it is thought to.
func TestContainmentIsProbed(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		level  string
		adjust func(*server.Config)
	}{
		{"allowlist", func(*server.Config) {}},
		{"csp", func(c *server.Config) {
			c.Defences = firewalltest.NoDefences("a probe without its header is a browser that does not know it")
		}},
	} {
		t.Run(row.level, func(t *testing.T) {
			t.Parallel()
			g := startGlass(t, row.adjust)
			v := g.open(t, "localhost", g.sandbox(t, bootFiles, allScripts))
			v.waitFor(fmt.Sprintf(`[data-testid=state][data-state=ready][data-containment=%s]`, row.level))
			v.waitFor(fmt.Sprintf(`[data-testid=containment][data-level=%s]`, row.level))
		})
	}
}

// A policy that demands containment runs where it is given, and elsewhere nothing,
// with the reason on the screen.
func TestContainmentIsDemanded(t *testing.T) {
	const document = `<!doctype html><meta charset="utf-8"><title>Demanding</title><p id="word"><script>fetch('/ran'); document.getElementById('word').textContent = 'ran'</script>`
	const noAllowlist, noFull = "does not enforce Connection-Allowlist", "lets WebRTC and hints that outlive their page past it"
	for name, row := range map[string]struct {
		open func(t *testing.T, url string) evalPage
		want map[rules.Containment]string // the reason, or "" where it runs
	}{
		"Chromium":  {openChromium, map[rules.Containment]string{rules.ContainmentCSP: "", rules.ContainmentAllowlist: "", rules.ContainmentFull: noFull}},
		"Firefox":   {func(t *testing.T, url string) evalPage { return firefoxESR(t).Open(t, url) }, map[rules.Containment]string{rules.ContainmentCSP: "", rules.ContainmentAllowlist: noAllowlist, rules.ContainmentFull: noAllowlist}},
		"WebKitGTK": {func(t *testing.T, url string) evalPage { return webKitGTK(t).Open(t, url) }, map[rules.Containment]string{rules.ContainmentCSP: "", rules.ContainmentAllowlist: noAllowlist, rules.ContainmentFull: noAllowlist}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := startGlass(t)
			for demanded, reason := range row.want {
				sandbox := g.sandbox(t, map[string]string{"/index.html": document}, strings.Replace(full, "full", string(demanded), 1))
				var got [2]string
				row.open(t, fmt.Sprintf("http://localhost:%d/sandboxes/%s", g.port, sandbox.ID())).Eval(t, outcome, &got)
				switch {
				case reason == "" && got[0] != "ready":
					t.Errorf("with containment: %s the view is %s: %s", demanded, got[0], got[1])
				case reason != "" && (got[0] != "failed" || !strings.Contains(got[1], "containment-missing") || !strings.Contains(got[1], reason)):
					t.Errorf("with containment: %s the view is %s, and the page says %q, not that it %s", demanded, got[0], got[1], reason)
				}
			}
		})
	}
}

// A policy that demands more while the sandbox runs ends it where that is not given.
func TestContainmentIsDemandedLater(t *testing.T) {
	t.Parallel()
	demandLater(t, startGlass(t), "full", nil)
}

// What has run before may leave cookies for one of the two addresses by which
// enforcement is seen, so long that whatever is in front of the server cuts the request
// off. That must not look like a browser which refused.
func TestCookiesDoNotClaimContainment(t *testing.T) {
	t.Parallel()
	var cut atomic.Int64
	g := startGlassBehind(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if len(r.Header["Cookie"]) > 0 && r.URL.Path == protocol.UnlistedPath {
				cut.Add(1)
				panic(http.ErrAbortHandler)
			}
			next.ServeHTTP(w, r)
		})
	})
	page := demandLater(t, g, "allowlist", func(view, outer evalPage) {
		view.Eval(t, fmt.Sprintf(`(document.cookie = 'long=1; domain=sandbox.localhost; path=%s')`, protocol.UnlistedPath), nil)
		var asked string
		outer.Eval(t, fmt.Sprintf(`fetch(location.origin + %q, { cache: 'no-store' }).then(() => 'answered', () => 'failed')`, protocol.UnlistedPath), &asked)
		if asked != "failed" || cut.Load() == 0 {
			t.Fatalf("with its cookie the request was %s, %d were cut off; the test is of one that fails", asked, cut.Load())
		}
	})
	// The outer frame of before knows what it has seen. The next one looks with the
	// cookie there.
	page.Eval(t, `location.reload()`, nil)
	var got [2]string
	if page.Eval(t, outcome, &got); !strings.Contains(got[1], "containment-missing") {
		t.Errorf("the next page says %s, %q", got[0], got[1])
	}
}

// demandLater lets a document run in Firefox and do something, then has the policy
// demand what Firefox does not give, and wants to see that nothing runs any longer.
func demandLater(t *testing.T, g *glass, demanded string, meanwhile func(view, outer evalPage)) evalPage {
	t.Helper()
	files := map[string]string{"/index.html": `<!doctype html><meta charset="utf-8"><title>Later</title><p id="word">runs`}
	sandbox := g.sandbox(t, files, strings.Replace(full, "full", "csp", 1))
	page := firefoxESR(t).Open(t, fmt.Sprintf("http://localhost:%d/sandboxes/%s", g.port, sandbox.ID()))
	var got [2]string
	if page.Eval(t, outcome, &got); got[0] != "ready" {
		t.Fatalf("the view is %s: %s", got[0], got[1])
	}
	if meanwhile != nil {
		meanwhile(page.Frame(t, sandbox.URL()+"/"), page.Frame(t, sandbox.OuterURL()))
	}
	if _, err := sandbox.SetPolicy(parse(t, strings.Replace(full, "full", demanded, 1))); err != nil {
		t.Fatal(err)
	}
	page.Eval(t, strings.Replace(outcome, `state.dataset.state !== 'ready' && `, ``, 1), &got)
	if !strings.Contains(got[1], "containment-missing") {
		t.Errorf("after the policy demands more the page says %s, %q", got[0], got[1])
	}
	return page
}
