package attack

import (
	"fmt"
	"html"
	"net/http"
	"testing"

	"github.com/playwright-community/playwright-go"

	"github.com/bellglass/bellglass/firewall/firewalltest"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// racing is an embedder's page. A frame in it, and each frame that this frame makes, posts to
// all windows from the first moment on.
const racing = `<!doctype html><meta charset="utf-8"><title>Racing</title>
<script>
	states = []
	forged = 0
	const flood = (from) => {
		const outer = frames.sandbox, view = outer && outer[0]
		if (view) from.Function('view', "view.postMessage({ kind: 'listening', flood: true }, '*')")(view)
		if (!outer || turns %% 10 > 0) return
		for (const message of [
			{ kind: 'connect', protocol: 1 }, { kind: 'boot', protocol: 1, phase: 'ready', view: true, containment: 'audit' }, { kind: 'hello', protocol: 1 }, { kind: 'reload' },
		]) {
			const { port1, port2 } = new MessageChannel()
			port1.onmessage = () => forged++
			from.Function('outer', 'message', 'port', "outer.postMessage(message, '*', [port])")(outer, message, port2)
		}
	}
	// A timer paces the messages. The browser queues faster ones, and delivers them
	// after their document is gone.
	turns = 0
	start = () => { timer = setInterval(() => { flood(frames.sibling); turns++ }, 0) }
	stop = () => clearInterval(timer)
	talk = () => {
		const { port1, port2 } = new MessageChannel()
		port1.onmessage = (event) => { if (event.data.kind === 'state') states.push(event.data) }
		frames.sandbox.postMessage({ kind: 'connect', protocol: 1 }, '*', [port2])
		port = port1
	}
	until = (test) => new Promise((resolve) => { const look = () => states.some(test) ? resolve() : setTimeout(look, 10); look() })
</script>
<iframe name="sibling" srcdoc="sibling" onload="start()"></iframe>
<iframe name="sandbox" src="%s"></iframe>`

// Messages that race the handshake and the boot change nothing. The outer frame accepts the
// page's own connect, and the containment is what the boot page observed.
func TestRacingTheHandshake(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		containment string
		adjust      func(*server.Config)
	}{
		{"allowlist", func(*server.Config) {}},
		{"csp", func(c *server.Config) {
			c.Defenses = firewalltest.Without(firewalltest.Defense("Connection-Allowlist"))
		}},
	} {
		t.Run(row.containment, func(t *testing.T) {
			t.Parallel()
			embedder := glass.ServePage(t, func(r *http.Request) string { return fmt.Sprintf(racing, html.EscapeString(r.FormValue("frame"))) })
			g := glass.Start(t, row.adjust, func(c *server.Config) { c.Embedders = []string{embedder} })
			sandbox := g.NewSandbox(t, spoofFiles, glass.AllScripts)
			page := glass.NewPage(t)
			// This counts the flood's messages that reach the boot page, in storage that the
			// boot page shares with the view.
			counting := `if (location.pathname === '/.bellglass/boot') addEventListener('message', (event) => { if (event.data?.flood) sessionStorage.flooded = 1 + Number(sessionStorage.flooded ?? 0) })`
			if err := page.Context().AddInitScript(playwright.Script{Content: &counting}); err != nil {
				t.Fatal(err)
			}
			if _, err := page.Goto(embedder + "/?frame=" + sandbox.OuterURL()); err != nil {
				t.Fatal(err)
			}
			got, err := glass.Evaluate(page, `async () => {
				talk()
				await until((state) => state.state !== 'booting')
				// The second one boots the view, because the first is not complete.
				port.postMessage({ kind: 'reload' })
				port.postMessage({ kind: 'reload' })
				states.length = 0
				await until((state) => state.state === 'booting')
				await until((state) => state.state === 'ready')
				stop()
				return JSON.stringify({ forged, last: states.at(-1).containment, audit: states.filter((state) => state.containment === 'audit').length, flooded: turns > 20 })
			}`)
			if want := fmt.Sprintf(`{"forged":0,"last":%q,"audit":0,"flooded":true}`, row.containment); err != nil || got != want {
				t.Errorf("got %v, %v; want %s", got, err, want)
			}
			if n, err := browser.Frame(t, page, sandbox.URL()+"/").Evaluate(`() => Number(sessionStorage.flooded ?? 0)`); err != nil || n == 0 {
				t.Errorf("%v messages of the flood came to the boot page, %v, so it raced nothing", n, err)
			}
		})
	}
}

// Two sandboxes in one page know each other's windows. A message from one to the other's outer
// frame does not count as a message from that one's view.
func TestSandboxesCannotSpeakForEachOther(t *testing.T) {
	t.Parallel()
	embedder := glass.ServePage(t, func(r *http.Request) string {
		return fmt.Sprintf(`<!doctype html><title>Two</title><iframe src="%s"></iframe><iframe src="%s"></iframe>`, html.EscapeString(r.FormValue("one")), html.EscapeString(r.FormValue("two")))
	})
	g := glass.Start(t, func(c *server.Config) { c.Embedders = []string{embedder} })
	one, two := g.NewSandbox(t, spoofFiles, glass.AllScripts), g.NewSandbox(t, spoofFiles, glass.AllScripts)
	page := glass.NewPage(t)
	if _, err := page.Goto(embedder + "/?one=" + one.OuterURL() + "&two=" + two.OuterURL()); err != nil {
		t.Fatal(err)
	}
	first, second := browser.Frame(t, page, one.URL()+"/"), browser.Frame(t, page, two.URL()+"/")
	outer := browser.Frame(t, page, two.OuterURL())
	report := func(outer, text string) string {
		return `() => { const outer = ` + outer + `; const { port1, port2 } = new MessageChannel()
			outer.postMessage({ kind: 'hello', protocol: 1 }, '*', [port2])
			port1.postMessage({ dropped: 0, reports: [{ kind: 'console', level: 'log', text: ` + text + ` }] }) }`
	}
	for frame, file := range map[playwright.Frame]string{first: one.URL() + "/", second: two.URL() + "/"} {
		if err := frame.WaitForURL(file); err != nil {
			t.Fatal(err)
		}
	}
	if err := outer.Locator("#cover[data-state=ready]").WaitFor(playwright.LocatorWaitForOptions{State: playwright.WaitForSelectorStateAttached}); err != nil {
		t.Fatal(err)
	}
	if _, err := outer.Evaluate(echoing); err != nil {
		t.Fatal(err)
	}
	for _, s := range spoofs {
		if _, err := glass.Evaluate(first, `() => { const outer = top.frames[1]; `+saying+`; return said(`+s.message+`) }`); err != nil {
			t.Fatal(err)
		}
		if got, err := outer.Evaluate(outerSays); err != nil || got != stillRuns {
			t.Errorf("%s from the other sandbox: the outer frame shows %q, %v", s.name, got, err)
		}
	}
	// Nor does a foreign port write to the other's log. The port of its own view does.
	if _, err := glass.Evaluate(first, report(`top.frames[1]`, `'the neighbor'`)); err != nil {
		t.Fatal(err)
	}
	if _, err := glass.Evaluate(second, report(`parent`, `'its own'`)); err != nil {
		t.Fatal(err)
	}
	for _, e := range g.Log(t, two, func(e glass.Logged) bool { return e.Text == "its own" }) {
		if e.Text == "the neighbor" {
			t.Errorf("the other sandbox has written %+v", e)
		}
	}
	// The control: the same message from the sandbox's own view ends the view.
	if _, err := glass.Evaluate(second, `() => { parent.postMessage(`+boot(lie)+`, '*') }`); err != nil {
		t.Fatal(err)
	}
	if err := outer.Locator("#cover[data-state=failed]").WaitFor(); err != nil {
		t.Error(err)
	}
}
