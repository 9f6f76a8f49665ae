package mcp

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/canary"
	"github.com/bellglass/bellglass/tests/internal/glass"
	"github.com/bellglass/bellglass/tests/internal/nocors"
)

// An MCP App reaches the hosts that it declares, in each way in which a document can load
// something, with and without CORS headers. It never reaches hosts that it does not declare.
// The canary decides. A bare page shows that each way does load something.
func TestMCPAppLoads(t *testing.T) {
	t.Parallel()
	for engine, open := range allEngines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			birds := canary.Start(t)
			ways := slices.Concat([]string{"frame"}, slices.Sorted(maps.Keys(nocors.Answers(""))))
			hosts := map[string]string{"declared": "127.0.0.1", "undeclared": "localhost"}
			// The parts of a token: which page loads, from which host, with which headers, and
			// in which way.
			token := func(kind, host, headers, way string) string {
				return strings.ReplaceAll(strings.Join([]string{kind, host, headers, way}, "-"), " ", "-")
			}
			page := func(kind string) string {
				var loads []nocors.Load
				for _, host := range []string{"undeclared", "declared"} {
					for _, headers := range []string{"plain", "cors"} {
						for _, way := range ways {
							name := token(kind, host, headers, way)
							answer := nocors.Answers("")[way]
							if way == "frame" {
								answer = nocors.PlainAnswer("text/html", "<!doctype html><title>Frame</title>")
							}
							if headers == "cors" {
								answer.Header = http.Header{"Content-Type": answer.Header["Content-Type"]}
							}
							birds.Answer("/"+name+"/x", answer)
							loads = append(loads, nocors.Load{Way: way, URL: birds.URLAt(hosts[host], name, "x")})
						}
					}
				}
				return nocors.Files(t, loads)["/index.html"]
			}
			birds.Answer("/bare/page", canary.Answer{Header: http.Header{"Content-Type": {"text/html"}}, Body: page("bare")})
			var through bool
			open(t, birds.URL("bare", "page")).Eval(t, "through", &through)

			g, host := startMCPHost(t)
			csp := map[string]any{}
			for _, field := range []string{"connectDomains", "resourceDomains", "frameDomains", "baseUriDomains"} {
				csp[field] = []string{fmt.Sprintf("http://127.0.0.1:%d", birds.Port())}
			}
			var ready bool
			open(t, host).Eval(t, fmt.Sprintf(`(async () => {
				await mount('a', %q, %s)
				run('a', { html: %s })
				return true
			})()`, proxyOrigin(g), glass.Literal(t, glass.Literal(t, csp)), glass.Literal(t, page("app"))), &ready)
			ended, _ := nocors.Outcome(t, g.Sandboxes()[0], nil)

			ctx, cancel := context.WithTimeout(t.Context(), browser.Patience)
			defer cancel()
			reached := func(kind, host, headers, way string) bool {
				name := token(kind, host, headers, way)
				if kind == "bare" || host == "declared" {
					if _, err := birds.Wait(ctx, name); err != nil {
						return false
					}
				}
				return len(birds.Hits(name)) > 0
			}
			for _, headers := range []string{"plain", "cors"} {
				for _, way := range ways {
					for host := range hosts {
						if !reached("bare", host, headers, way) {
							t.Errorf("a bare page does not reach the %s host with %s headers by %s, so this shows nothing", host, headers, way)
						}
					}
					if !reached("app", "declared", headers, way) {
						t.Errorf("the app does not reach the declared host with %s headers by %s", headers, way)
					}
				}
			}
			for _, headers := range []string{"plain", "cors"} {
				for _, way := range ways {
					if reached("app", "undeclared", headers, way) {
						t.Errorf("the app reaches an undeclared host with %s headers by %s", headers, way)
					}
				}
			}
			if got, want := strings.Join(ended, "\n"), strings.Join(appLoads(engine, ways), "\n"); got != want {
				t.Errorf("the loads end with\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// appLoads returns how the loads of TestMCPAppLoads end, in order: those of undeclared hosts,
// then those of the declared host without CORS headers, then those with them.
func appLoads(engine string, ways []string) (ends []string) {
	for _, from := range []string{"undeclared", "undeclared", "plain", "cors"} {
		for _, way := range ways {
			loads := from == "cors"
			switch way {
			case "frame":
				loads = true // the page does not wait for a frame
			case "font":
				loads = false // the body is not a font
			case "image", "media", "script":
				loads = from != "undeclared"
			case "style":
				loads = loads || from == "plain" && engine != "WebKitGTK"
			case "fetch without CORS":
				loads = loads || from == "plain" && glass.WorkerlessEngines[engine] != nil
			}
			ends = append(ends, way+" "+map[bool]string{true: "loaded", false: "failed"}[loads])
		}
	}
	return ends
}
