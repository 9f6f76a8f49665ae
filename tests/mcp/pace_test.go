package mcp

import (
	"fmt"
	"slices"
	"testing"

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
