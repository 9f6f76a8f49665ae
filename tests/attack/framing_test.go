package attack

import (
	"fmt"
	"html"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/playwright-community/playwright-go"

	"github.com/bellglass/bellglass/firewall/firewalltest"
	"github.com/bellglass/bellglass/mcpapps"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// Pages of other origins can neither frame our pages, nor keep a hold on a window that they
// opened, nor read our pages.

// framing serves a page that frames the address in its query, and reports when the frame has
// loaded, even if that is the browser's page about a refused frame.
func framing(r *http.Request) string {
	return fmt.Sprintf(`<!doctype html><meta charset="utf-8"><title>Framing</title>
<script>loaded = new Promise((resolve) => { frameLoaded = resolve })</script><iframe id="framed" onload="frameLoaded()" src="%s"></iframe>`, html.EscapeString(r.FormValue("frame")))
}

// framed opens the page in a tab, and returns the URL that its frame shows.
func framed(t *testing.T, page playwright.Page, around, url string) string {
	t.Helper()
	if _, err := page.Goto(around + "/?frame=" + url); err != nil {
		t.Fatal(err)
	}
	if _, err := glass.Evaluate(page, `() => loaded`); err != nil {
		t.Fatal(err)
	}
	// The driver does not know the URL of the browser's own page.
	text, err := page.FrameLocator("#framed").Locator("html").TextContent()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(text, "ERR_BLOCKED_BY_RESPONSE") {
		return refusedFrame
	}
	return browser.FrameThat(t, page, "shows something", func(frame playwright.Frame) bool {
		return frame.ParentFrame() == page.MainFrame() && strings.HasPrefix(frame.URL(), "http")
	}).URL()
}

const refusedFrame = "the browser's refusal"

func TestForeignPagesCannotFrameOurs(t *testing.T) {
	t.Parallel()
	foreign := glass.ServePage(t, framing)
	listed := glass.ServePage(t, framing)
	list := func(c *server.Config) { c.Embedders = []string{listed} }
	defended := glass.Start(t, list)
	undefended := glass.Start(t, list, func(c *server.Config) {
		c.Defenses = firewalltest.Without(firewalltest.Defense("Content-Security-Policy"), firewalltest.Defense("Cross-Origin-Resource-Policy"))
	})
	pages := func(g *glass.Server, sandbox *server.Sandbox) map[string]string {
		host := fmt.Sprintf("http://localhost:%d", g.Port)
		return map[string]string{
			"host page": host + "/", "host page of a sandbox": sandbox.HostURL(), "host page by its address": strings.Replace(host, "localhost", "127.0.0.1", 1) + "/",
			"host page by its alias": strings.Replace(host, "localhost", "[::1]", 1) + "/",
			"outer frame":            sandbox.OuterURL(), "inner document": sandbox.URL() + "/", "boot page": sandbox.URL() + "/.bellglass/boot",
		}
	}
	sandbox, bare := defended.NewSandbox(t, glass.RanFiles, glass.AllScripts), undefended.NewSandbox(t, glass.RanFiles, glass.AllScripts)
	page := glass.NewPage(t)
	for what, url := range pages(defended, sandbox) {
		if got := framed(t, page, foreign, url); got != refusedFrame {
			t.Errorf("the %s in a frame of a foreign page shows %s", what, got)
		}
	}
	// The controls: without the policy each page can be framed. With the policy, a page on the
	// list can frame the outer frame.
	for what, url := range pages(undefended, bare) {
		if got := framed(t, page, foreign, url); !strings.HasPrefix(got, "http://") {
			t.Errorf("the %s without a policy shows %s", what, got)
		}
	}
	if got := framed(t, page, listed, sandbox.OuterURL()); got != sandbox.OuterURL() {
		t.Errorf("the outer frame in a page that is on the list shows %s", got)
	}
	// The list allows framing of the outer frame, not of the host page.
	if got := framed(t, page, listed, fmt.Sprintf("http://localhost:%d/", defended.Port)); got != refusedFrame {
		t.Errorf("the host page in a page that is on the list shows %s", got)
	}
}

// Once the sandbox's worker is active, it answers instead of the server, even in a foreign
// page of the same site.
func TestForeignPagesCannotFrameWhatTheWorkerServes(t *testing.T) {
	t.Parallel()
	foreign := glass.ServePage(t, framing)
	for _, row := range []struct {
		adjust func(*server.Config)
		want   string
	}{
		{func(*server.Config) {}, refusedFrame},
		{func(c *server.Config) {
			c.Defenses = firewalltest.Without(firewalltest.Defense("Content-Security-Policy"), firewalltest.Defense("Cross-Origin-Resource-Policy"))
		}, ""},
	} {
		g := glass.Start(t, row.adjust)
		sandbox := g.NewSandbox(t, glass.RanFiles, glass.AllScripts)
		v := g.Open(t, "localhost", sandbox)
		want := row.want
		if want == "" {
			want = sandbox.URL() + "/index.html"
		}
		if got := framed(t, v.Page, foreign, sandbox.URL()+"/index.html"); got != want {
			t.Errorf("a document of the worker in a frame of a foreign page shows %s, want %s", got, want)
		}
	}
}

// A page that opened ours in a window has no hold on it. Attacks that pass clicks through to
// another page, or count frames, begin with such a hold.
func TestForeignPagesCannotHoldOurs(t *testing.T) {
	t.Parallel()
	foreign := glass.ServePage(t, framing)
	for _, row := range []struct {
		adjust func(*server.Config)
		held   bool
	}{
		{func(*server.Config) {}, false},
		{func(c *server.Config) {
			c.Defenses = firewalltest.Without(firewalltest.Defense("Cross-Origin-Opener-Policy"))
		}, true},
	} {
		g := glass.Start(t, row.adjust)
		sandbox := g.NewSandbox(t, glass.RanFiles, glass.AllScripts)
		for what, url := range map[string]string{"host page": sandbox.HostURL(), "outer frame": sandbox.OuterURL(), "page of an inner origin in a tab": sandbox.URL() + "/"} {
			page := glass.NewPage(t)
			if _, err := page.Goto(foreign); err != nil {
				t.Fatal(err)
			}
			opened, err := page.ExpectPopup(func() error {
				_, err := page.Evaluate(`url => { opened = open(url) }`, url)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := opened.WaitForLoadState(); err != nil {
				t.Fatal(err)
			}
			if err := opened.WaitForURL(url); err != nil {
				t.Fatal(err)
			}
			// The opener's process learns of the severed link only after the new page has
			// loaded, so the test waits for it.
			if !row.held {
				if _, err := page.WaitForFunction(`() => opened.closed`, nil); err != nil {
					t.Errorf("the %s is still held by the page that opened it: %v", what, err)
				}
				continue
			}
			// An outer or inner document in its own tab is sandboxed. The browser itself
			// severs such a document from an opener that is not.
			if what != "host page" {
				continue
			}
			// A window that is held can be navigated.
			if _, err := page.Evaluate(`url => { opened.location = url }`, foreign+"/?held"); err != nil {
				t.Fatal(err)
			}
			if err := opened.WaitForURL(foreign + "/?held"); err != nil {
				t.Errorf("without the defense the %s is not held by the page that opened it: %v", what, err)
			}
		}
	}
}

// A page of another origin that knows the outer frame's token can neither follow the events
// nor send reports. It reads none of our data.
func TestForeignPagesCannotRead(t *testing.T) {
	t.Parallel()
	foreign := glass.ServePage(t, framing)
	g := glass.Start(t, func(c *server.Config) { c.Embedders = []string{foreign} })
	sandbox := g.NewSandbox(t, glass.RanFiles, glass.AllScripts)
	outerPage := glass.Body(t, g.Request(t, "GET", sandbox.OuterURL(), "iframe", nil, nil))
	outer := strings.TrimSuffix(sandbox.OuterURL(), "/"+sandbox.ID())
	events, reports := outer+glass.Between(t, outerPage, `"events":"`, `"`), ""
	reports = strings.Replace(events, "/events?", "/reports?", 1)
	host := fmt.Sprintf("http://localhost:%d", g.Port)
	const ways = `async ({ url, body }) => {
		const got = []
		for (const init of [
			{}, { mode: 'no-cors' }, { credentials: 'include' }, { method: 'POST', body }, { method: 'POST', body, mode: 'no-cors' },
			{ method: 'POST', body, headers: { 'Content-Type': 'application/json' } }, { headers: { 'Bellglass-Secret': 'x' } }, { method: 'PUT', body }, { method: 'DELETE' },
		]) {
			try {
				const response = await fetch(url, { ...init, signal: AbortSignal.timeout(20_000) })
				got.push(response.type === 'opaque' ? 'opaque' : response.status + ' ' + (await response.text()))
			} catch (error) {
				got.push(error.name === 'TimeoutError' ? 'a stream' : 'refused')
			}
		}
		const form = document.createElement('form')
		form.method = 'POST'; form.action = url; form.enctype = 'text/plain'; form.target = 'framed'
		form.append(Object.assign(document.createElement('input'), { name: body.slice(0, -1), value: '}' }))
		const frame = Object.assign(document.createElement('iframe'), { name: 'framed' })
		document.body.append(frame, form)
		const done = new Promise((resolve) => { frame.onload = resolve })
		form.submit()
		await done
		frame.remove()
		form.remove()
		const source = new EventSource(url)
		await new Promise((resolve) => { source.onopen = () => { got.push('events'); resolve() }; source.onerror = resolve })
		source.close()
		return got.join('|')
	}`
	page := glass.NewPage(t)
	if _, err := page.Goto(foreign); err != nil {
		t.Fatal(err)
	}
	// The response of the page's own origin shows that the page would see a response.
	own, err := page.Evaluate(ways, map[string]any{"url": foreign + "/", "body": "{}"})
	if err != nil || !strings.Contains(own.(string), "200 <!doctype html>") {
		t.Fatalf("the page's own origin answers %v, %v", own, err)
	}
	body := `{"dropped":0,"page":[{"kind":"console","level":"log","text":"forged"}],"outer":[]}`
	for _, url := range []string{host + "/", sandbox.HostURL(), host + "/healthz", sandbox.OuterURL(), events, reports, sandbox.URL() + "/", sandbox.URL() + "/.bellglass/verdicts"} {
		got, err := page.Evaluate(ways, map[string]any{"url": url, "body": body})
		if err != nil {
			t.Fatal(err)
		}
		// The browser refuses a response without CORS headers. Cross-Origin-Resource-Policy
		// makes it refuse the opaque response as well.
		for way := range strings.SplitSeq(got.(string), "|") {
			if way != "refused" {
				t.Errorf("%s: a foreign page got %.300q", url, got)
				break
			}
		}
	}
	// The control: the log has the outer frame's own report, and nothing before it.
	response := g.Request(t, "POST", reports, "empty", http.Header{"Sec-Fetch-Site": {"same-origin"}}, []byte(strings.Replace(body, "forged", "its own", 1)))
	if response.StatusCode != http.StatusNoContent {
		t.Fatalf("the outer frame's own report: %d", response.StatusCode)
	}
	for _, e := range g.Log(t, sandbox, func(e glass.Logged) bool { return e.Text == "its own" }) {
		if e.Text == "forged" {
			t.Errorf("the log has %+v", e)
		}
	}
}

// A page that is not an embedder cannot frame the proxy, on any of its ports.
func TestForeignPagesCannotFrameTheProxy(t *testing.T) {
	t.Parallel()
	foreign, listed, fixed := glass.ServePage(t, framing), glass.ServePage(t, framing), glass.Listen(t)
	port := fixed[0].Addr().(*net.TCPAddr).Port
	g := glass.Start(t, func(c *server.Config) {
		c.Embedders, c.MCPApps, c.MCPPort = []string{listed}, &mcpapps.Options{}, port
	})
	glass.Serve(t, fixed, g)
	page := glass.NewPage(t)
	for _, address := range []string{g.ProxyURL(), fmt.Sprintf("http://localhost:%d/sandbox.html", port), fmt.Sprintf("http://127.0.0.1:%d/", port)} {
		if got := framed(t, page, foreign, address); got != refusedFrame {
			t.Errorf("a foreign page frames %s: %s", address, got)
		}
		if got := framed(t, page, listed, address); !strings.HasPrefix(got, fmt.Sprintf("http://sandbox.localhost:%d/", g.Port)) {
			t.Errorf("an embedder's page frames %s: %s", address, got)
		}
	}
}
