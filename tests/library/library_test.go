package library

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// The browser library, in a page on an embedder's own origin. The page's policy allows only
// its script, the library, and the sandboxes' frame. It allows no style and no eval, and no
// string becomes a script or a document.
const libraryPage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Embedder</title><link rel="stylesheet" href="/page.css"><script type="module" src="/page.js"></script><main></main>`

// libraryScript loads the library and adds one element for each src in the page's query.
// heard(id, type, test) resolves to the detail of a past or future event of an element. log
// has all events in their order.
const libraryScript = `
	const query = new URLSearchParams(location.search)
	globalThis.log = []
	const waiting = new Set()
	const types = ['state', 'ready', 'shown', 'verdict', 'blocked', 'console', 'error', 'lifecycle']
	globalThis.watch = (element) => {
		for (const type of types) element.addEventListener(type, ({ detail }) => {
			const card = element.shadowRoot.querySelector('[role=alert]')
			log.push({ id: element.id, type, detail, state: element.state, card: type === 'error' && card.checkVisibility() ? card.innerText : '' })
			for (const look of waiting) look()
		})
		return element
	}
	globalThis.heard = (id, type, test = () => true, from = 0) => new Promise((resolve) => {
		const look = () => {
			const found = log.slice(from).find((entry) => entry.id === id && entry.type === type && test(entry.detail))
			if (found === undefined) return
			waiting.delete(look)
			resolve(found.detail)
		}
		waiting.add(look)
		look()
	})
	globalThis.made = (id, src) => {
		const element = watch(document.createElement('bellglass-sandbox'))
		element.id = id
		for (const [name, value] of query) if (name === 'timeout') element.timeout = Number(value)
		element.src = src
		return element
	}
	globalThis.by = (id) => document.getElementById(id)
	globalThis.violations = []
	addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective + ' ' + event.blockedURI))
	globalThis.loaded = import(query.get('library')).then((library) => {
		globalThis.library = library
		query.getAll('src').forEach((src, i) => document.querySelector('main').append(made('s' + i, src)))
		return 'loaded'
	}, (error) => String(error))
`

// startLibraryPage serves the embedder's page, and the given handlers by path.
func startLibraryPage(t *testing.T, more map[string]http.HandlerFunc) (origin string) {
	t.Helper()
	listeners := glass.Listen(t)
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		outer, err := url.Parse(r.FormValue("library"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		from := outer.Scheme + "://" + outer.Host
		w.Header().Set("Content-Security-Policy", fmt.Sprintf("default-src 'none'; style-src 'self'; script-src 'self' %s; frame-src %s; connect-src 'self'; img-src 'self'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'", from, from))
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, libraryPage)
	})
	for path, answer := range map[string][2]string{"/page.js": {"text/javascript", libraryScript}, "/page.css": {"text/css", `bellglass-sandbox { width: 320px; height: 200px; border: 1px solid }`}} {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", answer[0])
			fmt.Fprint(w, answer[1])
		})
	}
	for path, handler := range more {
		mux.HandleFunc(path, handler)
	}
	glass.Serve(t, listeners, mux)
	return fmt.Sprintf("http://localhost:%d", listeners[0].Addr().(*net.TCPAddr).Port)
}

// libraryURL returns the address of the embedder's page around some sandboxes.
func libraryURL(origin string, g *glass.Server, timeout int, sources ...string) string {
	query := url.Values{"library": {g.LibraryURL()}, "src": sources, "timeout": {fmt.Sprint(timeout)}}
	return origin + "/?" + query.Encode()
}

// patience is how long a frame may take, in tests that do not wait for its failure.
const patience = 200_000 // milliseconds

// talkative is a page that causes every kind of event. Its texts contain name.
func talkative(name string) map[string]string {
	return map[string]string{"/index.html": strings.ReplaceAll(`<!doctype html><html lang="en"><meta charset="utf-8"><title>NAME</title><p id="word">NAME</p>
<script>console.log('I am NAME'); fetch('https://blocked.example/NAME').catch(() => {}); setTimeout(() => { throw new Error('thrown by NAME') })</script>`, "NAME", name)}
}

// Two sandboxes on one page each have their own events. The page shows the first of them
// twice.
func TestLibraryShowsAndTells(t *testing.T) {
	t.Parallel()
	for name, open := range glass.Engines {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			origin := startLibraryPage(t, nil)
			g := glass.Start(t, func(c *server.Config) { c.Embedders = []string{origin} })
			one, two := g.NewSandbox(t, talkative("one"), glass.AllScripts), g.NewSandbox(t, talkative("two"), glass.AllScripts)
			page := open(t, libraryURL(origin, g, patience, one.OuterURL(), two.OuterURL(), one.OuterURL()))
			var got []string
			page.Eval(t, `(async () => {
				const out = [await loaded]
				for (const [id, name] of [['s0', 'one'], ['s1', 'two'], ['s2', 'one']]) {
					await heard(id, 'ready')
					const { text } = await heard(id, 'console')
					const thrown = await heard(id, 'error', (detail) => detail.kind === 'page')
					const blocked = await heard(id, 'blocked')
					const created = await heard(id, 'lifecycle')
					const virtual = await heard(id, 'verdict', (detail) => detail.virtual)
					out.push([by(id).state, by(id).revision, text, thrown.text.includes('thrown by ' + name), blocked.action + ' ' + (blocked.url ?? blocked.target).startsWith('https://blocked.example/'), created.step, virtual.action].join())
				}
				return out
			})()`, &got)
			want := []string{"loaded",
				"ready,1,I am one,true,block true,created,allow",
				"ready,1,I am two,true,block true,created,allow",
				"ready,1,I am one,true,block true,created,allow"}
			if strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("the elements dispatched\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			// No element received events of the other sandbox, and the page's policy had
			// nothing to block.
			var strange []string
			page.Eval(t, `log.filter(({ id, type, detail }) => type === 'console' && detail.text !== (id === 's1' ? 'I am two' : 'I am one')).map(({ id, detail }) => id + ': ' + detail.text).concat(violations)`, &strange)
			if len(strange) > 0 {
				t.Errorf("what should not be: %q", strange)
			}
			// Reload the view, and change the files.
			var states string
			page.Eval(t, `(async () => {
				const from = log.length
				by('s1').reload()
				await heard('s1', 'ready', undefined, from)
				return log.slice(from).filter(({ id, type }) => id === 's1' && type === 'state').map(({ detail }) => detail.state).join()
			})()`, &states)
			if states != "ready" {
				t.Errorf("after the reload the states are %s", states)
			}
			if _, err := two.SetFiles(g.Files(t, talkative("three"))); err != nil {
				t.Fatal(err)
			}
			var changed string
			page.Eval(t, `heard('s1', 'lifecycle', ({ step }) => step === 'files').then(({ text }) => text + ' ' + by('s1').revision)`, &changed)
			if changed != "changed /index.html 2" {
				t.Errorf("of the change it tells %q", changed)
			}
		})
	}
}

// The library is for allowed embedders. The same page gets it once its origin is on the list.
func TestLibraryIsRefusedToOthers(t *testing.T) {
	t.Parallel()
	listed, other := startLibraryPage(t, nil), startLibraryPage(t, nil)
	g := glass.Start(t, func(c *server.Config) { c.Embedders = []string{listed} })
	for origin, loads := range map[string]bool{listed: true, other: false} {
		var said string
		glass.OpenChromium(t, libraryURL(origin, g, patience)).Eval(t, `loaded`, &said)
		if (said == "loaded") != loads {
			t.Errorf("in a page of %s the library says %q; want it loaded: %v", origin, said, loads)
		}
	}
}
