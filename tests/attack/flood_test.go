package attack

import (
	"fmt"
	"html"
	"net/http"
	"testing"

	"github.com/playwright-community/playwright-go"

	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// A sandbox that posts faster than its outer frame reads is ended at once, whatever it posts
// and from whichever frame. The events of its neighbor continue.
func TestFloodOfMessagesEndsItsView(t *testing.T) {
	t.Parallel()
	embedder := glass.ServePage(t, func(r *http.Request) string {
		return fmt.Sprintf(`<!doctype html><title>Two</title><iframe src="%s"></iframe><iframe src="%s"></iframe>`, html.EscapeString(r.FormValue("bad")), html.EscapeString(r.FormValue("good")))
	})
	g := glass.Start(t, func(c *server.Config) { c.Embedders = []string{embedder} })
	bad, good := g.NewSandbox(t, spoofFiles, glass.AllScripts), g.NewSandbox(t, spoofFiles, glass.AllScripts)
	page := glass.NewPage(t)
	ready := playwright.LocatorWaitForOptions{State: playwright.WaitForSelectorStateAttached}
	for i, kind := range []struct{ name, post string }{
		{"boot", `const post = () => parent.postMessage(` + boot(`, phase: 'started'`) + `, '*')`},
		{"junk", `const post = () => parent.postMessage('junk', '*')`},
		{"a neighbor's outer frame", `const post = () => top.frames[1].postMessage('junk', '*')`},
		{"reports", `const { port1, port2 } = new MessageChannel(); parent.postMessage({ kind: 'hello', protocol: 1 }, '*', [port2]); const post = () => port1.postMessage({ dropped: 0, reports: [] })`},
		{"ports", `const post = () => parent.postMessage({ kind: 'hello', protocol: 1 }, '*', [new MessageChannel().port2])`},
		{"a nested frame of no origin", `const nested = document.createElement('iframe'); nested.sandbox = 'allow-scripts'
			nested.srcdoc = '<script>setInterval(() => { for (let i = 0; i < 5000; i++) top.frames[0].postMessage("junk", "*") }, 0)<\/script>'
			document.body.append(nested); const post = () => {}`},
	} {
		if _, err := page.Goto(embedder + "/?bad=" + bad.OuterURL() + "&good=" + good.OuterURL()); err != nil {
			t.Fatal(err)
		}
		outers := map[*server.Sandbox]playwright.Frame{}
		for _, sandbox := range []*server.Sandbox{bad, good} {
			outers[sandbox] = browser.Frame(t, page, sandbox.OuterURL())
			if err := outers[sandbox].Locator("#cover[data-state=ready]").WaitFor(ready); err != nil {
				t.Fatal(err)
			}
		}
		view := browser.Frame(t, page, bad.URL()+"/")
		if _, err := view.Evaluate(`() => { setTimeout(() => { ` + kind.post + `
			const go = () => { for (let i = 0; i < 5000; i++) post(); setTimeout(go) }; go() }) }`); err != nil {
			t.Fatal(err)
		}
		if err := outers[bad].Locator(`#code:text-is("message-flood")`).WaitFor(); err != nil {
			t.Fatalf("%s: %v", kind.name, err)
		}
		if n, err := outers[bad].Locator("iframe").Count(); err != nil || n != 0 {
			t.Errorf("%s: after the flood the outer frame has %d frames, %v", kind.name, n, err)
		}
		alive := fmt.Sprintf("alive %d", i)
		if _, err := browser.Frame(t, page, good.URL()+"/").Evaluate(`(text) => console.log(text)`, alive); err != nil {
			t.Fatal(err)
		}
		g.Log(t, good, func(event glass.Logged) bool { return event.Text == alive })
		if got, err := outers[good].Evaluate(outerSays); err != nil || got != stillRuns {
			t.Errorf("%s: the neighbor's outer frame shows %q, %v", kind.name, got, err)
		}
	}
}
