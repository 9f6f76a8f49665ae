package attack

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/firewall/firewalltest"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// A sandbox can set cookies for the host names above its own. The next sandbox does not get
// them.
func TestCookiesAreNotHandedOn(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name   string
		adjust func(*server.Config)
		handed bool
	}{
		{"cleared", func(*server.Config) {}, false},
		{"not cleared", func(c *server.Config) {
			c.Defenses = firewalltest.Without(firewalltest.Defense("Clear-Site-Data"))
		}, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			g := glass.Start(t, row.adjust)
			first := g.NewSandbox(t, glass.RanFiles, glass.AllScripts)
			v := g.Open(t, "localhost", first)
			// As much as the browser accepts, which is about 10 KB for a frame's own jar.
			kept := v.Eval(`() => {
				for (let i = 0; i < 300; i++) document.cookie = 'tossed' + i + '=' + 'x'.repeat(4000) + '; Domain=sandbox.localhost; Path=/; SameSite=None; Secure; Partitioned'
				return document.cookie.length
			}`)
			if n, ok := kept.(int); !ok || n == 0 {
				t.Fatalf("the first sandbox keeps %v characters of cookies, so there is nothing to hand on", kept)
			}
			second := g.NewSandbox(t, glass.RanFiles, glass.AllScripts)
			if _, err := v.Page.Goto(fmt.Sprintf("http://localhost:%d/sandboxes/%s", g.Port, second.ID())); err != nil {
				t.Fatal(err)
			}
			v.Origin = second.URL()
			v.WaitState("ready")
			if got := fmt.Sprint(v.Eval(`() => document.cookie`)); strings.Contains(got, "tossed") != row.handed {
				t.Errorf("the second sandbox has the first one's cookies: %v; want %v (%.100s)", !row.handed, row.handed, got)
			}
		})
	}
}

// bomb sets many cookies of 4 KB for all sandboxes, and returns how many bytes they have.
// Browsers differ in the attributes that they require. Chromium and Firefox keep at most 180
// cookies, and 40 of them far exceed 64 KiB. WebKitGTK keeps all of them, which is more than
// the server reads.
const bomb = `(() => {
	const attributes = '; Domain=sandbox.localhost; Path=/; Max-Age=3000000'
	const more = ['', '; SameSite=None; Secure', '; SameSite=None; Secure; Partitioned'].find((each) => {
		document.cookie = 'bomb=1' + attributes + each
		return document.cookie.includes('bomb')
	})
	for (let i = 0; i < %d; i++) document.cookie = 'bomb' + i + '=' + 'x'.repeat(4000) + attributes + more
	return document.cookie.length
})()`

// A tab is a page whose frames can be evaluated, in any engine.
type tab struct {
	glass.Page
	frame   func(urlPrefix string) glass.Page
	cookies int // how many cookies the bomb sets
}

var tabs = map[string]func(t *testing.T, url string) tab{
	"Chromium": func(t *testing.T, url string) tab {
		page := glass.NewPage(t)
		if _, err := page.Goto(url); err != nil {
			t.Fatal(err)
		}
		return tab{glass.InChromium(page), func(prefix string) glass.Page { return glass.InChromium(browser.Frame(t, page, prefix)) }, 40}
	},
	"Firefox": func(t *testing.T, url string) tab {
		page := glass.Firefox(t).Open(t, url)
		return tab{page, func(prefix string) glass.Page { return page.Frame(t, prefix) }, 40}
	},
	"WebKitGTK": func(t *testing.T, url string) tab {
		page := glass.WebKit(t).Open(t, url)
		return tab{page, func(prefix string) glass.Page { return page.Frame(t, prefix) }, 300}
	},
}

// More cookies than a server accepts do not keep the next sandbox from running. The cookies of
// a tab are gone when it runs. In a frame, WebKitGTK and Chromium may keep few of them. The
// second page is the outer frame in a tab of its own, which is rejected except in the control.
func TestCookieBomb(t *testing.T) {
	for engine, open := range tabs {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			g := glass.Start(t, func(c *server.Config) { c.Defenses = firewalltest.Without(firewalltest.Defense("alone")) })
			var two []*server.Sandbox
			for range 2 {
				sandbox, err := g.Create(server.Spec{Files: g.Files(t, glass.RanFiles), Policy: glass.Parse(t, glass.AllScripts), Entry: "/index.html"})
				if err != nil {
					t.Fatal(err)
				}
				two = append(two, sandbox)
			}
			first, second := two[0], two[1]
			for _, row := range []struct {
				name    string
				address func(*server.Sandbox) string
				least   int // bytes of cookies that the bomb must have left
			}{
				{"framed", (*server.Sandbox).HostURL, 0},
				{"in a tab", (*server.Sandbox).OuterURL, 64 << 10},
			} {
				page := open(t, row.address(first))
				view := page.frame(first.URL() + "/index.html")
				var kept, ok int
				view.Eval(t, fmt.Sprintf(bomb, page.cookies), &kept)
				if kept < row.least {
					t.Fatalf("%s: the bomb has only %d bytes", row.name, kept)
				}
				t.Logf("%s: %d bytes", row.name, kept)
				if kept > 1<<20 {
					// The server rejects so many bytes. Its refusal clears them, and the next
					// load runs.
					page.Eval(t, fmt.Sprintf("fetch(%q, { mode: 'no-cors', credentials: 'include' }).then(() => 1, () => 0)", second.OuterURL()), &ok)
				}
				page.Eval(t, fmt.Sprintf("(setTimeout(() => { location.href = %q }), 1)", row.address(second)), &ok)
				var left string
				page.frame(second.URL()+"/index.html").Eval(t, "document.cookie", &left)
				if row.least > 0 && strings.Contains(left, "bomb") {
					t.Errorf("%s: the second sandbox still has %d bytes of cookies", row.name, len(left))
				}
			}
		})
	}
}
