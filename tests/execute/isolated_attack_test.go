package execute

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/canary"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// isolatedTries are ways to reach a URL, by name. In a worker, ways whose names do not begin
// with "worker" throw, because there is no document.
const isolatedTries = `const add = (name, properties, parent = document.body) => parent.appendChild(Object.assign(document.createElement(name), properties))
const text = (url) => "fetch('" + url + "', { mode: 'no-cors' })"
const blob = (content, type = 'text/javascript') => URL.createObjectURL(new Blob([content], { type }))
const tries = {
	worker_fetch: (url) => fetch(url, { mode: 'no-cors' }),
	worker_xhr: (url) => { const x = new XMLHttpRequest(); x.open('GET', url); x.send() },
	worker_events: (url) => new EventSource(url),
	worker_socket: (url) => new WebSocket(url.replace('http:', 'ws:')),
	worker_import: (url) => import(url),
	worker_imported: (url) => import(blob('export default ' + text(url))),
	beacon: (url) => navigator.sendBeacon(url),
	image: (url) => { new Image().src = url },
	background: (url) => add('p', { textContent: 'x' }).style.background = 'url(' + url + ')',
	style: (url) => add('link', { rel: 'stylesheet', href: url }),
	imported_style: (url) => add('style', { textContent: '@import url(' + url + ')' }),
	font: (url) => { add('style', { textContent: "@font-face { font-family: 'far'; src: url(" + url + ') }' }); add('p', { textContent: 'x' }).style.fontFamily = 'far' },
	script: (url) => add('script', { src: url }),
	frame: (url) => add('iframe', { src: url }),
	inline_frame: (url) => add('iframe', { srcdoc: '<img src=' + url + '>' }),
	blob_frame: (url) => add('iframe', { src: blob('<img src=' + url + '>', 'text/html') }),
	blank_frame: (url) => { const d = add('iframe', {}).contentDocument; d.body.append(Object.assign(d.createElement('img'), { src: url })) },
	form: (url) => { add('iframe', { name: 'target' }); add('form', { action: url, target: 'target' }).submit() },
	object: (url) => add('object', { data: url }),
	embed: (url) => add('embed', { src: url, type: 'text/html' }),
	video: (url) => add('video', { src: url, autoplay: true, muted: true }),
	preload: (url) => add('link', { rel: 'preload', as: 'image', href: url }, document.head),
	worker_nested: (url) => new Worker(blob(text(url))),
}
const run = async (urls) => {
	for (const name of Object.keys(urls).length > 0 ? Object.keys(tries) : []) {
		console.log(name)
		try { await Promise.race([tries[name](urls[name]), new Promise((r) => setTimeout(r, 0))]) } catch {}
	}
	return Object.keys(tries)
}
`

// Isolated code without a capability reaches nothing in any of these ways. In a plain page
// each of them gets through.
func TestIsolatedCodeReachesNothing(t *testing.T) {
	t.Parallel()
	for engine, open := range glass.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			birds := canary.Start(t)
			g := glass.Start(t)
			// The sandbox's policy allows each of these ways, but isolated code is not subject
			// to it.
			sandbox := g.NewSandbox(t, executeFiles, fmt.Sprintf("version: 1\nscripts: [inline, eval, wasm, blob]\nrules:\n  - allow: ['http://127.0.0.1:%[1]d', 'https://127.0.0.1:%[1]d']\n  - {allow: ['ws://127.0.0.1:%[1]d', 'wss://127.0.0.1:%[1]d']}\n", birds.Port()))
			open(t, sandbox.HostURL())
			names := execute(t, sandbox, server.Execution{Context: server.ContextFrame, Code: isolatedTries + "export default run", Args: json.RawMessage(`{}`)})
			var all []string
			if err := json.Unmarshal(names.Result, &all); err != nil || len(all) < 20 {
				t.Fatalf("the tries are %s, %+v", names.Result, names.Error)
			}
			urls := func(who string) json.RawMessage {
				m := map[string]string{}
				for _, name := range all {
					m[name] = birds.URL(who+"-"+name, "x")
				}
				b, err := json.Marshal(m)
				if err != nil {
					t.Fatal(err)
				}
				return b
			}
			for _, where := range []server.ExecutionContext{server.ContextWorker, server.ContextFrame} {
				got := execute(t, sandbox, server.Execution{Context: where, Capabilities: []string{}, Code: isolatedTries + "export default run", Args: urls(string(where))})
				var made []string
				for _, line := range got.Console {
					made = append(made, line.Text)
				}
				if !slices.Equal(made, all) {
					t.Errorf("%s: of the tries %v only %v were made: %+v", where, all, made, got.Error)
				}
				// Firefox 153 stops about one in a hundred workers that start a worker, on a busy machine:
				// nothing follows that call, which is the last try.
				if got.Error != nil && (engine != "Firefox" || got.Error.Code != protocol.FailureTimeout) {
					t.Errorf("%s: %+v", where, got.Error)
				}
			}
			if hits := birds.All(); len(hits) > 0 {
				t.Errorf("isolated code reached the canary: %+v", hits)
			}
			listeners := glass.Listen(t)
			glass.Serve(t, listeners, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/html; charset=utf-8")
				fmt.Fprintf(w, "<!doctype html><title>Plain</title><body><script>%s; run(%s)</script>", isolatedTries, urls("plain"))
			}))
			open(t, fmt.Sprintf("http://%s/", listeners[0].Addr()))
			ctx, cancel := context.WithTimeout(t.Context(), browser.Patience)
			defer cancel()
			for _, name := range all {
				if _, err := birds.Wait(ctx, "plain-"+name); err != nil {
					t.Errorf("%s does not arrive from a plain page either, so it shows nothing: %v", name, err)
				}
			}
			// Late hits carry the name of their own attempt, and the connections are the plain
			// page's.
			for _, hit := range birds.All() {
				if hit.Token != "" && !strings.HasPrefix(hit.Token, "plain-") {
					t.Errorf("isolated code reached the canary by %s", hit.Token)
				}
			}
		})
	}
}
