package attack

import (
	"fmt"
	"html"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/playwright-community/playwright-go"

	"github.com/bellglass/bellglass/firewall/firewalltest"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// startEmbedder serves an embedder: a foreign page, on its own origin, that frames the address
// in its query.
func startEmbedder(t *testing.T) (origin string) {
	t.Helper()
	return glass.ServePage(t, func(r *http.Request) string {
		return fmt.Sprintf(`<!doctype html><meta charset="utf-8"><title>Embedder</title>
<script>loaded = new Promise((resolve) => { frameLoaded = resolve })</script>
<iframe id="sandbox" src="%s" onload="frameLoaded()"></iframe><iframe id="sibling" srcdoc="sibling"></iframe>`, html.EscapeString(r.FormValue("frame")))
	})
}

// embed opens the embedder's page around the sandbox, and waits until the frame has loaded,
// even if it shows an error page.
func embed(t *testing.T, embedder string, sandbox *server.Sandbox) playwright.Page {
	t.Helper()
	page := glass.NewPage(t)
	if _, err := page.Goto(embedder + "/?frame=" + sandbox.OuterURL()); err != nil {
		t.Fatal(err)
	}
	if _, err := glass.Evaluate(page, `() => loaded`); err != nil {
		t.Fatal(err)
	}
	return page
}

func TestPlainIframeIsEnough(t *testing.T) {
	t.Parallel()
	allowed, other := startEmbedder(t), startEmbedder(t)
	var asked atomic.Int64 // counts requests to the sandbox's own origin
	g := glass.StartBehind(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.Count(r.Host, ".") == 2 {
				asked.Add(1)
			}
			next.ServeHTTP(w, r)
		})
	}, func(c *server.Config) { c.Embedders = []string{allowed} })
	sandbox := g.NewSandbox(t, glass.RanFiles, glass.AllScripts)

	// First, an origin that is not on the list: nothing has been requested yet.
	page := embed(t, other, sandbox)
	if text, err := page.FrameLocator("#sandbox").Locator("body").TextContent(); err != nil || !strings.Contains(text, "ERR_BLOCKED_BY_RESPONSE") {
		t.Errorf("the browser does not refuse the frame: %.300q, %v", text, err)
	}
	if n := asked.Load(); n > 0 {
		t.Errorf("a page that may not embed it made %d requests to the sandbox", n)
	}

	page = embed(t, allowed, sandbox)
	v := glass.NewView(t, page, sandbox.URL())
	if text := v.Text("#word"); text != "ran" {
		t.Errorf("the view shows %q", text)
	}
	// The view is visible, not behind the cover that says "starting".
	if err := page.FrameLocator("#sandbox").FrameLocator("iframe").Locator("#word").WaitFor(); err != nil {
		t.Errorf("the view is not shown: %v", err)
	}
	if asked.Load() == 0 {
		t.Error("no request to the sandbox was counted, so the count says nothing")
	}
}

// startCountingBoots starts a server that counts how often a boot page is requested.
func startCountingBoots(t testing.TB, adjust ...func(*server.Config)) (*glass.Server, *atomic.Int64) {
	t.Helper()
	boots := new(atomic.Int64)
	return glass.StartBehind(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/.bellglass/boot" {
				boots.Add(1)
			}
			next.ServeHTTP(w, r)
		})
	}, adjust...), boots
}

// connecting defines window.connect in an embedder's page. The function posts a message with a
// port to the outer frame on behalf of a window, and returns the other end of the port. Its
// log holds the messages that arrive there.
const connecting = `() => {
	window.connect = (message = { kind: 'connect', protocol: 1 }, from = window) => {
		const { port1, port2 } = new MessageChannel()
		const got = []
		const waiting = []
		port1.onmessage = (event) => {
			got.push(event.data)
			for (const look of waiting) look()
		}
		const heard = (test) => new Promise((resolve) => {
			const look = () => { if (got.some(test)) resolve() }
			waiting.push(look)
			look()
		})
		from.Function('target', 'message', 'port', "target.postMessage(message, '*', [port])")(document.querySelector('#sandbox').contentWindow, message, port2)
		return { port: port1, got, heard, seen: () => heard((data) => data === 'seen') }
	}
	window.kinds = (log) => log.got.map((data) => data.kind ?? data).filter((kind) => kind !== 'event').join()
}`

// echoing makes the outer frame's window answer "seen" on each port that it gets. It runs
// after the outer frame's own listener and uses the same port. So when "seen" arrives, the
// outer frame's earlier messages have arrived.
const echoing = `() => addEventListener('message', (event) => event.ports[0]?.postMessage('seen'))`

// prepareOuter prepares an embedder's page for connect.
func prepareOuter(t *testing.T, page playwright.Page, sandbox *server.Sandbox) {
	t.Helper()
	if _, err := page.Evaluate(connecting); err != nil {
		t.Fatal(err)
	}
	if _, err := browser.Frame(t, page, sandbox.OuterURL()).Evaluate(echoing); err != nil {
		t.Fatal(err)
	}
}

func TestOuterTakesOneConnect(t *testing.T) {
	t.Parallel()
	embedder := startEmbedder(t)
	g, boots := startCountingBoots(t, func(c *server.Config) { c.Embedders = []string{embedder} })
	sandbox := g.NewSandbox(t, glass.RanFiles, glass.AllScripts)
	page := embed(t, embedder, sandbox)
	prepareOuter(t, page, sandbox)
	v := glass.NewView(t, page, sandbox.URL())
	if text := v.Text("#word"); text != "ran" {
		t.Fatalf("the view shows %q", text)
	}

	// The sandbox's own page poses as the embedder.
	own := v.Eval(`() => new Promise((resolve) => {
		const { port1, port2 } = new MessageChannel()
		const got = []
		port1.onmessage = (event) => { got.push(event.data.kind ?? event.data); if (event.data === 'seen') resolve(got.join()) }
		parent.postMessage({ kind: 'connect', protocol: 1 }, '*', [port2])
	})`)
	if own != "seen" {
		t.Errorf("the sandbox's own page was answered: %v", own)
	}
	got, err := glass.Evaluate(page, `async () => {
		const sibling = connect(undefined, document.querySelector('#sibling').contentWindow)
		await sibling.seen()
		const strange = connect({ kind: 'hello', protocol: 1 })
		await strange.seen()
		window.first = connect()
		await first.heard((data) => data.kind === 'state' && data.state === 'ready')
		window.second = connect()
		await second.seen()
		return JSON.stringify({ sibling: kinds(sibling), strange: kinds(strange), second: kinds(second) })
	}`)
	if want := `{"sibling":"seen","strange":"seen","second":"seen"}`; err != nil || got != want {
		t.Errorf("the outer answered %v, %v; want %s", got, err, want)
	}
	// The outer frame listens only to the first port.
	got, err = glass.Evaluate(page, `async () => {
		second.port.postMessage({ kind: 'reload' })
		first.got.length = 0
		// The second one boots the view, because the first is not complete.
		first.port.postMessage({ kind: 'reload' })
		first.port.postMessage({ kind: 'reload' })
		await first.heard((data) => data.kind === 'state' && data.state === 'booting')
		await first.heard((data) => data.kind === 'state' && data.state === 'ready')
		return kinds(second)
	}`)
	if err != nil || got != "seen" {
		t.Errorf("the second port got %v, %v", got, err)
	}
	if n := boots.Load(); n != 2 {
		t.Errorf("the view booted %d times, want once at first and once for the first port's reload", n)
	}
}

// Without frame-ancestors any page can frame the outer frame. It still talks only to the pages
// on its list.
func TestOuterTalksToListedOriginsAlone(t *testing.T) {
	t.Parallel()
	listed, other := startEmbedder(t), startEmbedder(t)
	g := glass.Start(t, func(c *server.Config) {
		c.Embedders = []string{listed}
		c.Defenses = firewalltest.NoDefenses("frame-ancestors would keep the strange page out")
	})
	sandbox := g.NewSandbox(t, glass.RanFiles, glass.AllScripts)
	const talk = `async () => { const log = connect(); await log.seen(); return kinds(log) }`
	for _, row := range []struct{ embedder, want string }{{other, "seen"}, {listed, "state,seen"}} {
		page := embed(t, row.embedder, sandbox)
		prepareOuter(t, page, sandbox)
		got, err := glass.Evaluate(page, talk)
		if err != nil {
			t.Fatal(err)
		}
		if text := got.(string); text != row.want && !(row.want != "seen" && strings.HasPrefix(text, "state,")) {
			t.Errorf("the page of %s heard %s, want %s", row.embedder, text, row.want)
		}
	}
}
