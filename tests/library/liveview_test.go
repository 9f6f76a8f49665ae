package library

import (
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// living is the embedder's side: it turns live update on. run has the view's document run code,
// and asked returns the code's value. A document that begins to listen only after the code was
// sent gets it again.
const living = `(async () => {
	await loaded
	globalThis.run = (code) => by('s0').shadowRoot.querySelector('iframe').contentWindow[0].postMessage({ run: code }, '*')
	let asks = 0
	globalThis.asked = (code) => new Promise((resolve) => {
		const ask = ++asks
		const send = () => run('Promise.resolve(' + code + ').then((answer) => top.postMessage({ ask: ' + ask + ', answer }, "*"))')
		const hear = ({ data }) => {
			if (data.listens) send()
			if (data.ask !== ask) return
			removeEventListener('message', hear)
			resolve(data.answer)
		}
		addEventListener('message', hear)
		send()
	})
	globalThis.shown = (manner, revision) => heard('s0', 'shown', (detail) => detail.manner === manner && detail.revision === revision)
	globalThis.states = () => log.filter(({ type }) => type === 'state').map(({ detail }) => detail.state).join()
	by('s0').liveUpdate = true
	await heard('s0', 'ready')
	return states()
})()`

// runner runs code once its document is parsed. The element reports a document before that.
const runner = `
	const parsed = new Promise((resolve) => document.readyState === 'loading' ? addEventListener('DOMContentLoaded', resolve) : resolve())
	addEventListener('message', async ({ data }) => {
		if (typeof data.run !== 'string') return
		await parsed;
		(0, eval)(data.run)
	})
	top.postMessage({ listens: true }, '*');`

// A liveView is an element with live update around one sandbox.
type liveView struct {
	t       *testing.T
	glass   *glass.Server
	sandbox *server.Sandbox
	page    glass.Page
	files   map[string]string
}

func openLive(t *testing.T, open func(*testing.T, string) glass.Page, policy string, files map[string]string) *liveView {
	t.Helper()
	return openLiveBehind(t, func(h http.Handler) http.Handler { return h }, open, policy, files)
}

// openLiveBehind is openLive with a handler in front of the server.
func openLiveBehind(t *testing.T, front func(http.Handler) http.Handler, open func(*testing.T, string) glass.Page, policy string, files map[string]string) *liveView {
	t.Helper()
	origin := startLibraryPage(t, nil)
	g := glass.StartBehind(t, front, func(c *server.Config) { c.Embedders = []string{origin} })
	v := &liveView{t: t, glass: g, sandbox: g.NewSandbox(t, files, policy), files: maps.Clone(files)}
	v.page = open(t, libraryURL(origin, g, patience, v.sandbox.OuterURL()))
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the element's last events:\n%s", v.eval(`log.slice(-40).map(({ type, detail }) => type + ' ' + JSON.stringify(detail)).join('\n')`))
		}
	})
	if states := v.eval(living); !strings.HasSuffix(states, "ready") {
		t.Fatalf("the states are %s", states)
	}
	return v
}

func (v *liveView) eval(expression string) (text string) {
	v.t.Helper()
	v.page.Eval(v.t, expression, &text)
	return text
}

// write makes a revision with these files changed.
func (v *liveView) write(changed map[string]string) int64 {
	v.t.Helper()
	maps.Copy(v.files, changed)
	revision, err := v.sandbox.SetFiles(v.glass.Files(v.t, v.files))
	if err != nil {
		v.t.Fatal(err)
	}
	return revision
}

// notBooted checks that the view has never been booted again, so that its cover was never
// shown.
func (v *liveView) notBooted() {
	v.t.Helper()
	if states := v.eval(`states()`); strings.Count(states, "booting") > 1 || !strings.HasSuffix(states, "ready") {
		v.t.Errorf("the states are %s", states)
	}
}
