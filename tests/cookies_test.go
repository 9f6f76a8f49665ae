package tests

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/firewall/firewalltest"
	"github.com/bellglass/bellglass/server"
)

// What a sandbox leaves in cookies for the names above its own does not come to
// the next one.
func TestCookiesAreNotHandedOn(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name   string
		adjust func(*server.Config)
		handed bool
	}{
		{"cleared", func(*server.Config) {}, false},
		{"not cleared", func(c *server.Config) {
			c.Defences = firewalltest.Without(firewalltest.Defence("Clear-Site-Data"))
		}, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			g := startGlass(t, row.adjust)
			first := g.sandbox(t, bootFiles, allScripts)
			v := g.open(t, "localhost", first)
			// As much as the browser takes, which for a frame's own jar is about 10 KB.
			kept := v.eval(`() => {
				for (let i = 0; i < 300; i++) document.cookie = 'tossed' + i + '=' + 'x'.repeat(4000) + '; Domain=sandbox.localhost; Path=/; SameSite=None; Secure; Partitioned'
				return document.cookie.length
			}`)
			if n, ok := kept.(int); !ok || n == 0 {
				t.Fatalf("the first sandbox keeps %v characters of cookies, so there is nothing to hand on", kept)
			}
			second := g.sandbox(t, bootFiles, allScripts)
			if _, err := v.page.Goto(fmt.Sprintf("http://localhost:%d/sandboxes/%s", g.port, second.ID())); err != nil {
				t.Fatal(err)
			}
			v.inner = second.URL()
			v.waitState("ready")
			if got := fmt.Sprint(v.eval(`() => document.cookie`)); strings.Contains(got, "tossed") != row.handed {
				t.Errorf("the second sandbox has the first one's cookies: %v; want %v (%.100s)", !row.handed, row.handed, got)
			}
		})
	}
}
