package library

import (
	"fmt"
	"html"
	"net/http"
	"testing"

	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// thief takes the focus every 50 ms, and reports which keys it received. Nothing is evaluated
// in it, because the browser would count that as a gesture. If the thief believes that it
// still has the focus, its focus() does nothing. The detour through a frame of its own avoids
// that.
var thief = map[string]string{"/index.html": `<!doctype html><title>Thief</title><input id="i"><iframe id="n"></iframe><script>
	addEventListener('keydown', ({ key }) => console.log('key ' + key))
	setInterval(() => { n.contentWindow.focus(); window.focus(); i.focus() }, 50)</script>`}

// typist has a field as large as its frame. It reports when the frame is on the screen, when
// the field has the focus, and which keys it received. Until a frame is on the screen,
// Chromium gives a click on it to the page around it. WebKitGTK reports no paints, and needs
// none.
var typist = map[string]string{"/index.html": `<!doctype html><title>Typist</title><style>html, body, input { width: 100%; height: 100%; margin: 0 } p { position: absolute; pointer-events: none }</style><p>Type here</p><input><script>
	const drawn = () => console.log('drawn')
	if (PerformanceObserver.supportedEntryTypes.includes('paint')) new PerformanceObserver(drawn).observe({ type: 'paint', buffered: true })
	else drawn()
	let times = 0
	addEventListener('focusin', () => console.log('focus ' + ++times))
	addEventListener('keydown', ({ key }) => console.log('key ' + key))</script>`}

const secretWord = "correct-horse"

// addField puts a password field before the elements of the embedder's page. It resolves when
// the first element is ready.
const addField = `(async () => {
	await loaded
	await heard('s0', 'ready')
	globalThis.field = document.createElement('input')
	field.type = 'password'
	document.body.prepend(field)
	return 'ready'
})()`

// A focusPage is a page with a field that a sandbox tries to take the focus from.
type focusPage struct {
	url   func(g *glass.Server, s *server.Sandbox) string
	setUp string // an expression; defines field, and resolves when the sandbox runs
	state string // an expression: the code of the failure that the page shows
}

// Chromium lets a frame take the focus without a gesture. The library and the host page give
// it back and end the view. In a page with a plain frame it is lost.
func TestSandboxCannotKeepTheFocus(t *testing.T) {
	t.Parallel()
	origin := startLibraryPage(t, nil)
	plain := glass.ServePage(t, func(r *http.Request) string {
		return fmt.Sprintf(`<!doctype html><title>Plain</title><input id="field" type="password"><iframe src="%s"></iframe>`, html.EscapeString(r.FormValue("outer")))
	})
	g := glass.Start(t, func(c *server.Config) { c.Embedders = []string{origin, plain} })
	library := focusPage{
		url:   func(g *glass.Server, s *server.Sandbox) string { return libraryURL(origin, g, patience, s.OuterURL()) },
		setUp: addField,
		state: `log.find(({ type, detail }) => type === 'error' && detail.code)?.detail.code ?? ''`,
	}
	host := focusPage{
		url:   func(_ *glass.Server, s *server.Sandbox) string { return s.HostURL() },
		setUp: `(globalThis.field = document.querySelector('#network-search'), until(() => document.querySelector('[data-testid=state]').dataset.state === 'ready'))`,
		state: `document.querySelector('[data-testid=state]').dataset.code`,
	}
	control := focusPage{
		url:   func(_ *glass.Server, s *server.Sandbox) string { return plain + "/?outer=" + s.OuterURL() },
		setUp: `''`,
		state: `''`,
	}
	for _, row := range []struct {
		engine, name string
		page         focusPage
		code         string
		lost         int // how many of the keys that the user types after the view's end, if it ends, are lost
	}{
		{"Chromium", "library", library, "focus-taken", 0},
		{"Chromium", "host page", host, "focus-taken", 0},
		{"Chromium", "control", control, "", len(secretWord)},
		{"WebKitGTK", "library", library, "", 0}, // only a frame that the user has used can take the focus
	} {
		t.Run(row.engine+"/"+row.name, func(t *testing.T) {
			t.Parallel()
			sandbox := g.NewSandbox(t, thief, glass.AllScripts)
			page, user := openForUser(t, row.engine, row.page.url(g, sandbox))
			const until = `const until = (holds) => new Promise((resolve) => { const look = () => holds() ? resolve('') : setTimeout(look, 10); look() }); return `
			var got string
			eval := func(expression string) string {
				t.Helper()
				page.Eval(t, `(() => {`+until+expression+`})()`, &got)
				return got
			}
			eval(row.page.setUp)
			// Playwright evaluates code in each new frame of Chromium as a gesture. The guard
			// ignores that activation once the focus has returned from the frame.
			const taken = `until(() => ['IFRAME', 'BELLGLASS-SANDBOX'].includes(document.activeElement.tagName))`
			if row.engine != "WebKitGTK" {
				eval(taken)
			}
			user.click(`field`)
			if row.name == "control" { // nothing undoes the theft
				eval(taken)
			}
			if row.code != "" {
				eval(`until(() => (` + row.page.state + `) !== '' && document.activeElement === field)`)
			}
			for _, key := range secretWord {
				user.press(string(key))
				eval(`new Promise((resolve) => setTimeout(() => resolve(''), 60))`) // at the pace of a person
			}
			typed := eval(`field.value`)
			lost := len(secretWord) - len(typed)
			t.Logf("the field has %q: %d keys lost", typed, lost)
			if lost != row.lost {
				t.Errorf("the field has %q of %q: %d keys lost, want %d", typed, secretWord, lost, row.lost)
			}
			if code := eval(row.page.state); code != row.code {
				t.Errorf("the page shows the code %q, want %q", code, row.code)
			}
			if row.code != "" {
				if n := eval(`String(document.querySelectorAll('iframe').length)`); n != "0" {
					t.Errorf("after the end the page has %s frames", n)
				}
			}
		})
	}
}

// The user clicks or tabs into a sandbox, types there, and the sandbox continues.
func TestUserMovesTheFocus(t *testing.T) {
	t.Parallel()
	origin := startLibraryPage(t, nil)
	g := glass.Start(t, func(c *server.Config) { c.Embedders = []string{origin} })
	for _, engine := range []string{"Chromium", "WebKitGTK"} {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			sandbox := g.NewSandbox(t, typist, glass.AllScripts)
			page, user := openForUser(t, engine, libraryURL(origin, g, patience, sandbox.OuterURL()))
			var got string
			page.Eval(t, addField, &got)
			state := func(key string) string {
				page.Eval(t, fmt.Sprintf(`heard('s0', 'console', ({ text }) => text === 'key %s').then(() => [document.activeElement.id, by('s0').state, field.value].join())`, key), &got)
				return got
			}
			focused := func(times int) {
				page.Eval(t, fmt.Sprintf(`heard('s0', 'console', ({ text }) => text === 'focus %d')`, times), new(any))
			}
			page.Eval(t, `heard('s0', 'console', ({ text }) => text === 'drawn')`, new(any))
			user.click(`field`)
			user.click(`by('s0')`)
			focused(1)
			user.press("a")
			if got := state("a"); got != "s0,ready," {
				t.Errorf("after a click into the sandbox the focus, its state and the field are %q", got)
			}
			user.click(`field`)
			user.press("x", "Tab")
			focused(2)
			user.press("b")
			if got := state("b"); got != "s0,ready,x" {
				t.Errorf("after a Tab into the sandbox the focus, its state and the field are %q", got)
			}
		})
	}
}
