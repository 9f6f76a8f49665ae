package address

import (
	"context"
	"fmt"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/playwright-community/playwright-go"

	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

const policy = "version: 1\ndefault: block\nscripts: [inline]\n"

func page(word string) map[string]string {
	return map[string]string{"/index.html": fmt.Sprintf(`<!doctype html><html lang="en"><meta charset="utf-8"><title>%[1]s</title><p id="word">%[1]s</p>
<script>console.log('I am %[1]s, secure: ' + isSecureContext); fetch('https://blocked.example/').catch(() => {})</script>`, word)}
}

// Signing in, the view, a change, and the log work through each front.
func TestPublicAddress(t *testing.T) {
	t.Parallel()
	for name, front := range fronts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g, _ := deploy(t, front, ofItsOwn)
			sandbox := g.NewSandbox(t, page("one"), policy)
			tab := chromium(t).Page(t)
			v := glass.NewView(t, tab, sandbox.URL())
			if _, err := tab.Goto(g.PublicURL() + "/sandboxes/" + sandbox.ID()); err != nil {
				t.Fatal(err)
			}
			signIn(t, tab, "a wrong token")
			if err := browser.Expect(tab.GetByTestId("sign-in-problem")).ToHaveText("This server does not accept that token."); err != nil {
				t.Error(err)
			}
			if n, err := tab.Locator("iframe").Count(); err != nil || n > 0 {
				t.Errorf("before anybody has signed in there are %d frames, %v", n, err)
			}
			signIn(t, tab, g.Token())
			v.WaitState("ready")
			if got := v.Text("#word"); got != "one" {
				t.Errorf("the view shows %q", got)
			}
			v.WaitFor(`[data-testid=console-line]:has-text("I am one, secure: true")`)
			v.WaitFor(`[data-testid=verdict][data-action=block][data-url="https://blocked.example/"]`)
			if _, err := sandbox.SetFiles(g.Files(t, page("two"))); err != nil {
				t.Fatal(err)
			}
			if err := browser.Expect(tab.GetByTestId("revision")).ToHaveText("2"); err != nil {
				t.Fatal(err)
			}
			v.Reload()
			if got := v.Text("#word"); got != "two" {
				t.Errorf("after the change the view shows %q", got)
			}
			var protocol string
			glass.InChromium(tab).Eval(t, `performance.getEntriesByType('navigation')[0].nextHopProtocol`, &protocol)
			if protocol != "h2" {
				t.Errorf("the page came over %s", protocol)
			}
			// The token lasts as long as the tab, and is in no cookie and no address.
			if _, err := tab.Reload(); err != nil {
				t.Fatal(err)
			}
			v.WaitState("ready")
			if cookies, err := tab.Context().Cookies(); err != nil || len(cookies) > 0 || strings.Contains(tab.URL(), g.Token()) {
				t.Errorf("cookies %v, address %s, %v", cookies, tab.URL(), err)
			}
			if err := tab.GetByTestId("sign-out").Click(); err != nil {
				t.Fatal(err)
			}
			if err := tab.GetByTestId("token").WaitFor(); err != nil {
				t.Errorf("after signing out, the page does not ask for a token: %v", err)
			}
			// This is the link that serve prints.
			if _, err := tab.Goto(g.PublicURL() + "/#token=" + g.Token()); err != nil {
				t.Fatal(err)
			}
			v.WaitState("ready")
			if strings.Contains(tab.URL(), "token") {
				t.Errorf("the token stays in the address: %s", tab.URL())
			}
		})
	}
}

func signIn(t *testing.T, tab playwright.Page, token string) {
	t.Helper()
	if err := tab.GetByTestId("token").Fill(token); err != nil {
		t.Fatal(err)
	}
	if err := tab.GetByTestId("sign-in").Click(); err != nil {
		t.Fatal(err)
	}
}

// A page of another https origin follows eight sandboxes at once. Over HTTP/2 no stream has to
// wait for another.
func TestElementsAtAPublicAddress(t *testing.T) {
	t.Parallel()
	const many = 8
	for name, front := range fronts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			embedder := serveSite(t)
			g, _ := deploy(t, front, ofItsOwn, func(c *server.Config) { c.Embedders = []string{embedder.origin} })
			var sources []string
			var boxes []*server.Sandbox
			for i := range many {
				box := g.NewSandbox(t, page(fmt.Sprint("number ", i)), policy)
				boxes, sources = append(boxes, box), append(sources, box.OuterURL())
			}
			tab := chromium(t).Page(t)
			if _, err := tab.Goto(embedder.page(g.LibraryURL(), sources...)); err != nil {
				t.Fatal(err)
			}
			var heard []string
			glass.InChromium(tab).Eval(t, fmt.Sprintf(`until('ready', %[1]d).then(() => until('console', %[1]d)).then(() => until('blocked', %[1]d))`, many), &heard)
			// Each view has its own stream of events and its worker's stream, and all stay
			// open.
			if n := streams(t, g); n != 2*many {
				t.Errorf("%d streams are open, want %d; heard %q", n, 2*many, heard)
			}
			for i, box := range boxes {
				if _, err := box.SetFiles(g.Files(t, page(fmt.Sprint("changed ", i)))); err != nil {
					t.Fatal(err)
				}
			}
			glass.InChromium(tab).Eval(t, fmt.Sprintf(`Promise.resolve(document.querySelectorAll('bellglass-sandbox').forEach((element) => element.reload())).then(() => until('console I am changed', %d))`, many), &heard)
		})
	}
}

var openStreams = regexp.MustCompile(`(?m)^bellglass_streams (\d+)$`)

func streams(t *testing.T, g *glass.Server) int {
	t.Helper()
	w := httptest.NewRecorder()
	g.MetricsHandler().ServeHTTP(w, httptest.NewRequestWithContext(context.Background(), "GET", "/", nil))
	found := openStreams.FindStringSubmatch(w.Body.String())
	if found == nil {
		t.Fatalf("no streams in %s", w.Body)
	}
	n, err := strconv.Atoi(found[1])
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// The two other engines boot, too.
func TestPublicAddressInOtherEngines(t *testing.T) {
	t.Parallel()
	for name, front := range fronts {
		for engine, open := range map[string]struct {
			names names
			open  func(t *testing.T, url string) glass.Page
		}{
			"Firefox":   {ofItsOwn, func(t *testing.T, url string) glass.Page { return firefoxESR(t).Open(t, url) }},
			"WebKitGTK": {local, func(t *testing.T, url string) glass.Page { return glass.WebKit(t).Open(t, url) }},
		} {
			t.Run(name+"/"+engine, func(t *testing.T) {
				t.Parallel()
				g, _ := deploy(t, front, open.names)
				sandbox := g.NewSandbox(t, page("one"), policy)
				address := g.PublicURL() + "/sandboxes/" + sandbox.ID()
				if g.NeedsToken() {
					address += "#token=" + g.Token()
				}
				var got string
				open.open(t, address).Eval(t, `new Promise((resolve) => {
					const look = setInterval(() => {
						const line = document.querySelector('[data-testid=console-line]')
						const state = document.querySelector('[data-testid=state]').dataset
						if (state.state !== 'failed' && line === null) return
						clearInterval(look)
						resolve(state.state + ' ' + (line?.textContent ?? document.querySelector('[data-testid=failure]').textContent))
					}, 50)
				})`, &got)
				if !strings.HasPrefix(got, "ready ") || !strings.Contains(got, "I am one, secure: true") {
					t.Errorf("the page says %q", got)
				}
			})
		}
	}
}
