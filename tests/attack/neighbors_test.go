package attack

import (
	"fmt"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/playwright-community/playwright-go"

	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// stuck is a page that reports that it begins, and then never lets its event loop take another
// turn.
const stuck = `<!doctype html><meta charset="utf-8"><title>Stuck</title><script>
addEventListener('load', () => setTimeout(() => {
	fetch('/begun')
	for (;;);
}))
</script>`

const still = `<!doctype html><meta charset="utf-8"><title>Still</title><p id="still">still</p>`

// A neighborhood is one foreign page with two sandboxes.
type neighborhood struct {
	*glass.Server
	bad, good *server.Sandbox
	page      playwright.Page
}

// meetNeighbors shows two sandboxes with the same permissions.
func meetNeighbors(t *testing.T, naming, badPage string, permissions ...string) *neighborhood {
	t.Helper()
	var addresses []string
	listeners := glass.Listen(t)
	glass.Serve(t, listeners, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><meta charset="utf-8"><title>Neighbors</title>`)
		for _, address := range addresses {
			fmt.Fprintf(w, `<iframe src="%s"></iframe>`, address)
		}
	}))
	embedder := fmt.Sprintf("http://localhost:%d", listeners[0].Addr().(*net.TCPAddr).Port)
	n := &neighborhood{Server: glass.Start(t, glass.Named(naming), func(c *server.Config) { c.Embedders = []string{embedder} })}
	n.bad = n.permitted(t, permissions, map[string]string{"/index.html": badPage})
	n.good = n.permitted(t, permissions, map[string]string{"/index.html": still, "/word": "still"})
	addresses = []string{n.bad.OuterURL(), n.good.OuterURL()}
	// The test has a browser of its own, because no other test may share a stuck renderer.
	b, err := browser.Launch()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	n.page = b.Page(t)
	if _, err := n.page.Goto(embedder, playwright.PageGotoOptions{WaitUntil: playwright.WaitUntilStateCommit}); err != nil {
		t.Fatal(err)
	}
	return n
}

func (n *neighborhood) permitted(t *testing.T, permissions []string, files map[string]string) *server.Sandbox {
	t.Helper()
	sandbox, err := n.Create(server.Spec{Files: n.Files(t, files), Policy: glass.Parse(t, glass.AllScripts), Permissions: permissions})
	if err != nil {
		t.Fatal(err)
	}
	return sandbox
}

// alive asks each of the other frames for something that needs a running event loop.
func (n *neighborhood) alive(t *testing.T) {
	t.Helper()
	good := browser.Frame(t, n.page, n.good.URL()+"/")
	for _, who := range []struct {
		name     string
		in       playwright.Frame
		question string
	}{
		{"the host page", n.page.MainFrame(), `() => new Promise((done) => setTimeout(done, 0, 'still'))`},
		{"the outer frame of the bad one", browser.Frame(t, n.page, n.bad.OuterURL()), `() => new Promise((done) => { const channel = new MessageChannel(); channel.port1.onmessage = () => done('still'); channel.port2.postMessage(0) })`},
		{"the outer frame of the good one", browser.Frame(t, n.page, n.good.OuterURL()), `() => new Promise((done) => { const channel = new MessageChannel(); channel.port1.onmessage = () => done('still'); channel.port2.postMessage(0) })`},
		{"the good one", good, `async () => (await fetch('/word')).text()`},
	} {
		if got, err := glass.Evaluate(who.in, who.question); err != nil || got != "still" {
			t.Errorf("%s says %v, %v", who.name, got, err)
		}
	}
}

// While the code of one sandbox blocks its event loop, the event loops of all other frames of
// the page run. So no two sandboxes share a process, also if they have shared memory, which is a
// precise clock.
func TestEndlessLoopHoldsNobodyElse(t *testing.T) {
	for _, naming := range glass.Namings {
		testEndlessLoop(t, naming)
		testEndlessLoop(t, naming, "cross-origin-isolated")
	}
}

func testEndlessLoop(t *testing.T, naming string, permissions ...string) {
	t.Run(fmt.Sprint(naming, permissions), func(t *testing.T) {
		n := meetNeighbors(t, naming, stuck, permissions...)
		browser.Frame(t, n.page, n.good.URL()+"/").Locator("#still").WaitFor()
		n.Log(t, n.bad, func(event glass.Logged) bool { return event.URL == n.bad.URL()+"/begun" })
		answered := make(chan struct{})
		bad := browser.Frame(t, n.page, n.bad.URL()+"/")
		go func() {
			bad.Evaluate("() => 1") // returns when the browser ends
			close(answered)
		}()
		n.alive(t)
		select {
		case <-answered:
			t.Error("the loop should have held the sandbox all the time, and it answers")
		default:
		}
	})
}

// When the renderer of one sandbox crashes, the others continue.
func TestCrashTakesNobodyAlong(t *testing.T) {
	for _, naming := range glass.Namings {
		t.Run(naming, func(t *testing.T) {
			n := meetNeighbors(t, naming, still)
			browser.Frame(t, n.page, n.good.URL()+"/").Locator("#still").WaitFor()
			bad := browser.Frame(t, n.page, n.bad.URL()+"/")
			bad.Locator("#still").WaitFor()
			session, err := n.page.Context().NewCDPSession(bad)
			if err != nil {
				t.Fatalf("the sandbox has no renderer of its own: %v", err)
			}
			ended := make(chan struct{})
			session.On("Inspector.targetCrashed", func(any) { close(ended) })
			go session.Send("Page.crash", nil) // this call never gets an answer
			select {
			case <-ended:
			case <-time.After(30 * time.Second):
				t.Fatal("the renderer does not crash")
			}
			n.alive(t)
		})
	}
}
