package boot

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/bellglass/bellglass/firewall/firewalltest"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/rules"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// waited is an expression that waits in the host page until the view has booted, and resolves to its
// state.
const waited = `new Promise((resolve) => {
	const state = document.querySelector('[data-testid=state]')
	const look = () => { if (state.dataset.state !== 'booting') resolve(state.dataset.state) }
	new MutationObserver(look).observe(state, { attributes: true })
	look()
})`

const full = "version: 1\ncontainment: full\nscripts: [inline]\n"

// The level is what the browser was observed to enforce, not what its version suggests.
func TestContainmentIsProbed(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		level  string
		adjust func(*server.Config)
	}{
		{"allowlist", func(*server.Config) {}},
		{"csp", func(c *server.Config) {
			c.Defenses = firewalltest.NoDefenses("a probe without its header is a browser that does not know it")
		}},
	} {
		t.Run(row.level, func(t *testing.T) {
			t.Parallel()
			g := glass.Start(t, row.adjust)
			v := g.Open(t, "localhost", g.NewSandbox(t, glass.RanFiles, glass.AllScripts))
			v.WaitFor(fmt.Sprintf(`[data-testid=state][data-state=ready][data-containment=%s]`, row.level))
			v.WaitFor(fmt.Sprintf(`[data-testid=containment][data-level=%s]`, row.level))
		})
	}
}

// A policy that demands containment runs in browsers that provide it. Elsewhere nothing runs,
// and the view shows the reason.
func TestContainmentIsDemanded(t *testing.T) {
	const document = `<!doctype html><meta charset="utf-8"><title>Demanding</title><p id="word"><script>fetch('/ran'); document.getElementById('word').textContent = 'ran'</script>`
	const noAllowlist, noFull = "does not enforce Connection-Allowlist", "WebRTC and preconnect hints can bypass it"
	for name, row := range map[string]struct {
		open func(t *testing.T, url string) glass.Page
		want map[rules.Containment]string // the reason, or "" if it runs
	}{
		"Chromium":  {glass.OpenChromium, map[rules.Containment]string{rules.ContainmentCSP: "", rules.ContainmentAllowlist: "", rules.ContainmentFull: noFull}},
		"Firefox":   {func(t *testing.T, url string) glass.Page { return glass.Firefox(t).Open(t, url) }, map[rules.Containment]string{rules.ContainmentCSP: "", rules.ContainmentAllowlist: noAllowlist, rules.ContainmentFull: noAllowlist}},
		"WebKitGTK": {func(t *testing.T, url string) glass.Page { return glass.WebKit(t).Open(t, url) }, map[rules.Containment]string{rules.ContainmentCSP: "", rules.ContainmentAllowlist: noAllowlist, rules.ContainmentFull: noAllowlist}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := glass.Start(t)
			files := map[string]string{"/index.html": document}
			for demanded, reason := range row.want {
				policy := strings.Replace(full, "full", string(demanded), 1)
				check := func(how string, got [2]string) {
					t.Helper()
					switch {
					case reason == "" && got[0] != "ready":
						t.Errorf("%s with containment: %s is %s: %s", how, demanded, got[0], got[1])
					case reason != "" && (got[0] != "failed" || !strings.Contains(got[1], "containment-missing") || !strings.Contains(got[1], reason)):
						t.Errorf("%s with containment: %s is %s, and the page says %q, not that it %s", how, demanded, got[0], got[1], reason)
					}
				}
				var got [2]string
				row.open(t, g.NewSandbox(t, files, policy).HostURL()).Eval(t, glass.Outcome, &got)
				check("a view", got)

				// The probe runs when a warm view boots, so the view fails before it has files.
				warm, err := g.Warm(glass.Parse(t, policy), 1)
				if err != nil {
					t.Fatal(err)
				}
				page := row.open(t, warm[0].HostURL())
				var state string
				if page.Eval(t, waited, &state); (state == "warm") != (reason == "") {
					t.Errorf("a warm view with containment: %s is %s", demanded, state)
				}
				if _, err := warm[0].Fill(server.Filling{Files: g.Files(t, files)}); err != nil {
					t.Fatal(err)
				}
				page.Eval(t, glass.Outcome, &got)
				check("a warm view", got)
			}
		})
	}
}

// If a policy demands more while the sandbox runs, the view ends in browsers that do not
// provide it.
func TestContainmentIsDemandedLater(t *testing.T) {
	t.Parallel()
	demandLater(t, glass.Start(t), "full", nil)
}

// Code that ran earlier may leave cookies for one of the two addresses that probe the
// enforcement. They can be so long that a program in front of the server cuts the request off.
// That must not look as if the browser blocked the request.
func TestCookiesDoNotClaimContainment(t *testing.T) {
	t.Parallel()
	var cut atomic.Int64
	g := glass.StartBehind(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if len(r.Header["Cookie"]) > 0 && r.URL.Path == protocol.UnlistedPath {
				cut.Add(1)
				panic(http.ErrAbortHandler)
			}
			next.ServeHTTP(w, r)
		})
	})
	page, reload := demandLater(t, g, "allowlist", func(view, outer glass.Page) {
		view.Eval(t, fmt.Sprintf(`(document.cookie = 'long=1; domain=sandbox.localhost; path=%s')`, protocol.UnlistedPath), nil)
		var asked string
		outer.Eval(t, fmt.Sprintf(`fetch(location.origin + %q, { cache: 'no-store' }).then(() => 'answered', () => 'failed')`, protocol.UnlistedPath), &asked)
		if asked != "failed" || cut.Load() == 0 {
			t.Fatalf("with its cookie the request was %s, %d were cut off; the test is of one that fails", asked, cut.Load())
		}
	})
	// The earlier outer frame remembers its result. The next one probes while the cookie is
	// there.
	reload(t)
	var got [2]string
	if page.Eval(t, glass.Outcome, &got); !strings.Contains(got[1], "containment-missing") {
		t.Errorf("the next page says %s, %q", got[0], got[1])
	}
}

// demandLater runs a document in Firefox and then meanwhile. It has the policy demand what
// Firefox does not provide, and checks that nothing runs anymore. It returns the page, and a
// function that reloads it.
func demandLater(t *testing.T, g *glass.Server, demanded string, meanwhile func(view, outer glass.Page)) (_ glass.Page, reload func(testing.TB)) {
	t.Helper()
	files := map[string]string{"/index.html": `<!doctype html><meta charset="utf-8"><title>Later</title><p id="word">runs`}
	sandbox := g.NewSandbox(t, files, strings.Replace(full, "full", "csp", 1))
	page := glass.Firefox(t).Open(t, fmt.Sprintf("http://localhost:%d/sandboxes/%s", g.Port, sandbox.ID()))
	var got [2]string
	if page.Eval(t, glass.Outcome, &got); got[0] != "ready" {
		t.Fatalf("the view is %s: %s", got[0], got[1])
	}
	if meanwhile != nil {
		meanwhile(page.Frame(t, sandbox.URL()+"/"), page.Frame(t, sandbox.OuterURL()))
	}
	if _, err := sandbox.SetPolicy(glass.Parse(t, strings.Replace(full, "full", demanded, 1))); err != nil {
		t.Fatal(err)
	}
	page.Eval(t, strings.Replace(glass.Outcome, `state.dataset.state !== 'ready' && `, ``, 1), &got)
	if !strings.Contains(got[1], "containment-missing") {
		t.Errorf("after the policy demands more the page says %s, %q", got[0], got[1])
	}
	return page, page.Reload
}
