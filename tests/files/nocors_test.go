package files

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/tests/internal/canary"
	"github.com/bellglass/bellglass/tests/internal/glass"
	"github.com/bellglass/bellglass/tests/internal/nocors"
)

// Resources that a page shows or runs without reading them load from an allowed host without
// CORS headers, as in any page. They load without cookies, without Referer, and under the same
// rules. Code that reads such a response fails, as in any page.
func TestLoadsWithoutCORS(t *testing.T) {
	t.Parallel()
	opaque := map[string][]string{
		"Chromium":  {"image", "media", "script", "style"},
		"Firefox":   {"image", "media", "script", "style"},
		"WebKitGTK": {"image", "media", "script"},
	}
	for engine, open := range glass.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			birds := canary.Start(t)
			posted, styled := birds.URL("posted", "x.png"), birds.URL("plain", "styled.png")
			var loads []nocors.Load
			var seen, want []string
			for _, way := range []string{"image", "media", "script", "style", "image with crossorigin", "module", "font", "fetch", "fetch without CORS"} {
				path := strings.ReplaceAll(way, " ", "-")
				birds.Answer("/plain/"+path, nocors.Answers(fmt.Sprintf("html { background: url(%q) } body { background: url(%q) }", posted, styled))[way])
				l := nocors.Load{Way: way, URL: birds.URL("plain", path)}
				loads = append(loads, l)
				if engine != "Firefox" || way != "media" { // in Firefox, media bypass the worker
					seen = append(seen, l.URL)
				}
				outcome := way + " failed"
				if slices.Contains(opaque[engine], way) {
					outcome = way + " loaded"
				}
				want = append(want, outcome)
			}
			if slices.Contains(opaque[engine], "style") {
				seen = append(seen, posted, styled)
			}
			g := glass.Start(t)
			sandbox := g.NewSandbox(t, nocors.Files(t, loads), fmt.Sprintf("%srules:\n  - {id: plain, allow: %s}\n  - {id: posted, allow: %s, methods: [POST]}\n", glass.AllScripts, birds.URL("plain", "**"), posted))

			// The host's own page comes first. It gets a cookie, and its image request has
			// that cookie and a Referer.
			image := nocors.PlainAnswer("image/svg+xml", "")
			birds.Answer("/control/x.svg", image)
			birds.Answer("/control/page", nocors.PlainAnswer("text/html", fmt.Sprintf(`<!doctype html><title>Control</title><img src="x.svg" onload="go()" onerror="go()"><script>const go = () => location.replace(%q)</script>`, sandbox.HostURL())))
			open(t, birds.URL("control", "page"))

			ended, verdicts := nocors.Outcome(t, sandbox, seen)
			if got, want := strings.Join(ended, "\n"), strings.Join(want, "\n"); got != want {
				t.Errorf("the loads end with\n%s\nwant\n%s", got, want)
			}
			for _, l := range loads {
				v, found := verdicts[l.URL]
				isOpaque := slices.Contains(opaque[engine], l.Way)
				switch {
				case !slices.Contains(seen, l.URL):
					if found {
						t.Errorf("%s: the worker sees it now: %+v", l.Way, v)
					}
				case v.Action != protocol.ActionAllow || v.Opaque != isOpaque || v.Status != 0 || v.Failed() == isOpaque:
					t.Errorf("%s: the verdict is %+v", l.Way, v)
				}
			}
			if v := verdicts[posted]; slices.Contains(seen, posted) && v.Action != protocol.ActionBlock {
				t.Errorf("the verdict on a request of an opaque style sheet is %+v", v)
			}
			if hits := birds.Hits("posted"); len(hits) > 0 {
				t.Errorf("a rule for POST let this through: %+v", hits)
			}
			if slices.Contains(seen, styled) && !slices.ContainsFunc(birds.Hits("plain"), func(h canary.Hit) bool { return h.Path == "/plain/styled.png" }) {
				t.Error("no allowed request of a style sheet arrives")
			}
			control := birds.Hits("control")
			if last := control[len(control)-1]; !strings.Contains(last.Header.Get("Cookie"), "plain=1") || last.Header.Get("Referer") == "" {
				t.Errorf("the host's own page sends the cookie %q and the referrer %q", last.Header.Get("Cookie"), last.Header.Get("Referer"))
			}
			for _, hit := range birds.Hits("plain") {
				if strings.HasSuffix(hit.Path, "/media") && engine == "Firefox" {
					continue // it bypassed the worker
				}
				if hit.Header.Get("Cookie") != "" || hit.Header.Get("Referer") != "" {
					t.Errorf("%s has the cookie %q and the referrer %q", hit.Path, hit.Header.Get("Cookie"), hit.Header.Get("Referer"))
				}
			}
		})
	}
}

// Where redirects of such loads may lead. With Connection-Allowlist they lead nowhere.
// Otherwise they may lead to any path of a host that the policy opens, and to no other host.
func TestRedirectsOfLoadsWithoutCORS(t *testing.T) {
	t.Parallel()
	ways := []string{"image", "media", "script", "style"}
	followed := map[string][]string{
		"Firefox":   {"image", "media", "script", "style"},
		"WebKitGTK": {"image", "media", "script"},
	}
	for engine, open := range glass.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			birds := canary.Start(t)
			var loads []nocors.Load
			for _, way := range ways {
				for _, url := range []string{birds.URLAt("localhost", "away-"+way, "x"), birds.URL("path-"+way, "x")} {
					loads = append(loads, nocors.Load{Way: way, URL: birds.Redirect("open", url)})
				}
				birds.Answer("/open/"+way, nocors.Answers("")[way])
				loads = append(loads, nocors.Load{Way: way, URL: birds.URL("open", way)})
			}
			files := nocors.Files(t, loads)
			arrived := func(token string) int { return len(birds.Hits(token)) }

			// Without defenses, each redirect is followed.
			birds.Answer("/bare/page", canary.Answer{Header: http.Header{"Content-Type": {"text/html"}}, Body: files["/index.html"]})
			var through bool
			open(t, birds.URL("bare", "page")).Eval(t, `through`, &through)
			bare := map[string]int{}
			for _, way := range ways {
				for _, token := range []string{"away-" + way, "path-" + way} {
					if bare[token] = arrived(token); bare[token] == 0 {
						t.Errorf("%s: nothing arrives undefended, so the row proves nothing", token)
					}
				}
			}
			asked := arrived("open")

			g := glass.Start(t)
			sandbox := g.NewSandbox(t, files, fmt.Sprintf("%srules:\n  - {id: open, allow: %s}\n", glass.AllScripts, birds.URL("open", "**")))
			open(t, sandbox.HostURL())
			nocors.Outcome(t, sandbox, nil)
			for _, way := range ways {
				if away := "away-" + way; arrived(away) > bare[away] {
					t.Errorf("%s: a redirect leads to a host that is not allowed: %+v", way, birds.Hits(away))
				}
				path := "path-" + way
				if led := arrived(path) > bare[path]; led != slices.Contains(followed[engine], way) {
					t.Errorf("%s: a redirect leads to another path: %v", way, led)
				}
			}
			if got := arrived("open") - asked; got < len(loads) {
				t.Errorf("of %d loads %d were asked for", len(loads), got)
			}
		})
	}
}
