package mcp

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bellglass/bellglass/mcpapps"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// A view begins its document before its host sends the app, and restarts after 5 s. In both
// cases the app starts with exactly the permissions that it was granted.
func TestMCPHostTakesItsTime(t *testing.T) {
	t.Parallel()
	app := glass.Literal(t, `<!doctype html><title>App</title><script>
navigator.permissions.query({ name: 'geolocation' }).then(({ state }) => parent.postMessage({ method: 'geolocation', state }, '*'))
</script>`)
	type heard struct {
		State string
		Told  int // messages about the grants that the proxy logs to the host
	}
	const late = 6_000 // milliseconds
	want := []heard{{"denied", 1}, {"prompt", 1}, {"denied", 1}, {"prompt", 1}}
	for engine, open := range allEngines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			g, host := startMCPHost(t)
			var got []heard
			open(t, host).Eval(t, fmt.Sprintf(`(() => {
				const show = async (name, pause, permissions) => {
					await mount(name, %q, '{}')
					await new Promise((resolve) => setTimeout(resolve, pause))
					run(name, { html: %s, permissions })
					const { state } = await heard(name, ({ method }) => method === 'geolocation')
					return { state, told: frames.get(name).log.filter(({ method }) => method === 'notifications/message').length }
				}
				return Promise.all([show('a', 0, {}), show('b', 0, { geolocation: {} }), show('c', %[3]d, {}), show('d', %[3]d, { geolocation: {} })])
			})()`, proxyOrigin(g), app, late), &got)
			if !slices.Equal(got, want) {
				t.Errorf("the apps hear %v, want %v", got, want)
			}
		})
	}
}

// A page with many apps takes long to send each of them. The document that a view has begun waits
// for its app longer than the server holds one request for it.
func TestMCPAppComesLate(t *testing.T) {
	t.Parallel()
	for engine, open := range glass.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			origin := serveMCPHost(t)
			var asked atomic.Int64
			again := make(chan struct{})
			g := glass.StartBehind(t, func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.URL.Path == protocol.StatePath && r.FormValue("newer") != "" && asked.Add(1) == 2 {
						close(again)
					}
					if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/app") {
						select {
						case <-again:
						case <-time.After(browser.Patience):
							t.Error("the worker has asked for the app only once")
						}
					}
					next.ServeHTTP(w, r)
				})
			}, func(c *server.Config) { c.Embedders, c.MCPApps = []string{origin}, &mcpapps.Options{} })
			var said string
			open(t, origin+"/").Eval(t, fmt.Sprintf(`(async () => {
				await mount('late', %q, '{}')
				run('late', { html: '<!doctype html><script>parent.postMessage({ method: "hello", params: "late" }, "*")<' + '/script>' })
				return (await heard('late', ({ method }) => method === 'hello')).params
			})()`, proxyOrigin(g)), &said)
			if said != "late" {
				t.Errorf("the app says %q", said)
			}
		})
	}
}
