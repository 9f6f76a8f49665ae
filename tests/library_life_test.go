package tests

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/playwright-community/playwright-go"

	"github.com/bellglass/bellglass/server"
)

// openLibrary opens the embedder's page in Chromium, with an init script for the
// sandbox's own origin if there is one.
func openLibrary(t *testing.T, url string, script string) evalPage {
	t.Helper()
	page := newPage(t)
	if script != "" {
		if err := page.Context().AddInitScript(playwright.Script{Content: &script}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := page.Goto(url); err != nil {
		t.Fatal(err)
	}
	return chromiumPage{page}
}

// The element is taken away and put back, moved, given another sandbox, and
// carried into another document.
func TestLibraryElementMoves(t *testing.T) {
	t.Parallel()
	origin := startLibraryPage(t, nil)
	g := startGlass(t, func(c *server.Config) { c.Embedders = []string{origin} })
	one, two := g.sandbox(t, talkative("one"), allScripts), g.sandbox(t, talkative("two"), allScripts)
	page := openLibrary(t, libraryURL(origin, g, patience, one.OuterURL()), "")
	expect := func(what, expression, want string) {
		t.Helper()
		var got string
		page.Eval(t, expression, &got)
		if got != want {
			t.Errorf("%s: got %s, want %s", what, got, want)
		}
	}
	expect("at first", `(async () => {
		await loaded
		globalThis.element = by('s0')
		globalThis.main = element.parentNode
		await heard('s0', 'ready')
		await heard('s0', 'console')
		return element.state + ' ' + element.shadowRoot.querySelectorAll('iframe').length
	})()`, "ready 1")

	// Away and back: another view, whose console tells the one line that is new, and
	// none of those that were told before.
	expect("put back", `(async () => {
		const from = log.length
		element.remove()
		const away = element.state + ' ' + element.shadowRoot.querySelectorAll('iframe').length
		element.reload() // of nothing
		main.append(element)
		await heard('s0', 'ready', undefined, from)
		await heard('s0', 'console', undefined, from)
		const ids = log.filter(({ detail }) => detail.id !== undefined).map(({ type, detail }) => type + detail.id)
		const twice = ids.filter((id, i) => ids.indexOf(id) !== i && !id.startsWith('blocked'))
		return [away, element.shadowRoot.querySelectorAll('iframe').length, 'twice:' + twice, log.slice(from).filter(({ type }) => type === 'state').map(({ detail }) => detail.state)].join(' ')
	})()`, "idle 0 1 twice: idle,booting,ready")

	// Three times in one turn is once.
	expect("many times", `(async () => {
		const from = log.length
		for (let i = 0; i < 3; i++) {
			element.remove()
			main.append(element)
		}
		await heard('s0', 'ready', undefined, from)
		return element.state + ' ' + element.shadowRoot.querySelectorAll('iframe').length
	})()`, "ready 1")

	// Moved with moveBefore nothing starts anew.
	expect("moved", `(async () => {
		const frame = element.shadowRoot.querySelector('iframe'), from = log.length
		const section = document.createElement('section')
		document.body.append(section)
		section.moveBefore(element, null)
		element.reload()
		await heard('s0', 'ready', undefined, from)
		return [element.parentNode === section, element.shadowRoot.querySelector('iframe') === frame, log.slice(from).filter(({ type }) => type === 'state').map(({ detail }) => detail.state)].join(' ')
	})()`, "true true booting,ready")

	// Another address is another sandbox; the same one again is nothing.
	expect("another sandbox", fmt.Sprintf(`(async () => {
		const from = log.length
		element.src = element.src
		const same = element.state
		element.src = %q
		const { text } = await heard('s0', 'console', undefined, from)
		return same + ' ' + text
	})()`, two.OuterURL()), "ready I am two")
	expect("no address", `(async () => {
		const seen = []
		for (const src of ['javascript:alert(1)', 'http://', 'data:text/html,x']) {
			const from = log.length
			element.src = src
			const { code, text, advice } = await heard('s0', 'error', undefined, from)
			seen.push(code, element.state, element.failure.code === code && text !== '' && advice !== '', element.shadowRoot.querySelectorAll('iframe').length)
			element.removeAttribute('src')
			seen.push(element.state)
		}
		return seen.join()
	})()`, strings.TrimSuffix(strings.Repeat("bad-source,failed,true,0,idle,", 3), ","))

	// In another document the outer frame could not know who speaks.
	expect("another document", fmt.Sprintf(`(async () => {
		const other = document.createElement('iframe')
		main.append(other)
		let from = log.length
		element.src = %q
		other.contentDocument.body.append(element)
		const { code } = await heard('s0', 'error', undefined, from)
		from = log.length
		main.append(element)
		await heard('s0', 'ready', undefined, from)
		return code + ' ' + element.state + ' ' + getComputedStyle(element.shadowRoot.querySelector('iframe')).position
	})()`, one.OuterURL()), "foreign-document ready absolute")
}

// What was written into the page before the library came holds.
func TestLibraryUpgrades(t *testing.T) {
	t.Parallel()
	origin := startLibraryPage(t, nil)
	g := startGlass(t, func(c *server.Config) { c.Embedders = []string{origin} })
	sandbox := g.sandbox(t, talkative("one"), allScripts)
	page := openLibrary(t, libraryURL(origin, g, patience), fmt.Sprintf(`if (location.origin === %q) addEventListener('DOMContentLoaded', () => {
		const early = document.createElement('bellglass-sandbox')
		Object.assign(early, { id: 'early', src: %q, token: 'secret', title: 'My sandbox' })
		globalThis.begun = []
		early.addEventListener('ready', () => begun.push('ready'))
		document.querySelector('main').append(early)
	})`, origin, sandbox.OuterURL()))
	var got string
	page.Eval(t, `(async () => {
		await loaded
		const early = by('early')
		if (early.state !== 'ready') await new Promise((resolve) => early.addEventListener('ready', resolve))
		const title = early.shadowRoot.querySelector('iframe').title
		early.title = 'Another'
		return [early instanceof library.BellglassSandbox, early.token, early.outerHTML.includes('secret'), title, early.shadowRoot.querySelector('iframe').title, begun].join()
	})()`, &got)
	if want := "true,secret,false,My sandbox,Another,ready"; got != want {
		t.Errorf("the element is %s, want %s", got, want)
	}
}

// Nothing runs, and the element says why: by an event, and in words that can be
// read. Its button tries again, which helps once the fault is gone.
func TestLibrarySaysWhyNothingRuns(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		code    string
		timeout int
		// fault answers itself while it lasts; without one the browser refuses the
		// sandbox's first worker.
		fault func(w http.ResponseWriter, r *http.Request) bool
		// hurry ends the first wait of so many milliseconds at once.
		hurry int
	}{
		{"frame-timeout", 200, func(w http.ResponseWriter, r *http.Request) bool {
			if len(r.URL.Path) != 27 {
				return false
			}
			<-r.Context().Done()
			return true
		}, 0},
		{"no-answer", patience, func(w http.ResponseWriter, r *http.Request) bool {
			if len(r.URL.Path) != 27 {
				return false
			}
			http.Error(w, "on purpose", http.StatusNotFound)
			return true
		}, 10_000},
		{"storage-blocked", patience, nil, 0},
	} {
		t.Run(row.code, func(t *testing.T) {
			t.Parallel()
			origin := startLibraryPage(t, nil)
			var on atomic.Bool
			on.Store(true)
			g := startGlassBehind(t, func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if !on.Load() || row.fault == nil || !row.fault(w, r) {
						next.ServeHTTP(w, r)
					}
				})
			}, func(c *server.Config) { c.Embedders = []string{origin} })
			sandbox := g.sandbox(t, talkative("one"), allScripts)
			script := fmt.Sprintf(`if (location.origin === %q) {
				const { setTimeout } = window
				let hurry = %d
				window.setTimeout = (f, ms) => {
					const real = ms === hurry ? 0 : ms
					if (ms === hurry) hurry = undefined
					return setTimeout(f, real)
				}
			}`, origin, row.hurry)
			if row.fault == nil {
				script = fmt.Sprintf(`if (location.origin === %q) {
					const { register } = ServiceWorkerContainer.prototype
					let refusals = Number(sessionStorage.getItem('refusals') ?? 0)
					ServiceWorkerContainer.prototype.register = function (...args) {
						sessionStorage.setItem('refusals', String(++refusals))
						return refusals > 1 ? register.apply(this, args) : Promise.reject(new DOMException('on purpose.', 'SecurityError'))
					}
				}`, sandbox.URL())
			}
			page := openLibrary(t, libraryURL(origin, g, row.timeout, sandbox.OuterURL()), script)
			var got []string
			page.Eval(t, `(async () => {
				await loaded
				const { kind, code, text, advice } = await heard('s0', 'error')
				const element = by('s0'), card = element.shadowRoot.querySelector('[role=alert]')
				return [kind, code, element.state, element.failure.code, String(card.checkVisibility() && [text, advice, code].every((part) => part !== '' && card.innerText.includes(part)))]
			})()`, &got)
			if want := fmt.Sprint([]string{"failure", row.code, "failed", row.code, "true"}); fmt.Sprint(got) != want {
				t.Errorf("the element says %v, want %s", got, want)
			}
			on.Store(false)
			var state string
			page.Eval(t, fmt.Sprintf(`(async () => {
				by('s0').timeout = %d
				by('s0').shadowRoot.querySelector('button').click()
				await heard('s0', 'ready')
				const card = by('s0').shadowRoot.querySelector('[role=alert]')
				return by('s0').state + ' ' + card.checkVisibility() + ' ' + by('s0').failure
			})()`, patience), &state)
			if state != "ready false undefined" {
				t.Errorf("when the fault is gone the element is %s", state)
			}
		})
	}
}

// The server goes and comes back, and at last the sandbox is no more.
func TestLibrarySurvivesTheServer(t *testing.T) {
	t.Parallel()
	origin := startLibraryPage(t, nil)
	listeners := listenLoopback(t)
	port := listeners[0].Addr().(*net.TCPAddr).Port
	srv, err := server.New(server.Config{Port: port, Embedders: []string{origin}})
	if err != nil {
		t.Fatal(err)
	}
	g := &glass{srv, port}
	run := func(listeners []net.Listener) (stop func()) {
		h := &http.Server{Handler: srv}
		ended := make(chan error, len(listeners))
		for _, l := range listeners {
			go func() { ended <- h.Serve(l) }()
		}
		return func() {
			t.Helper()
			if err := h.Close(); err != nil {
				t.Error(err)
			}
			for range listeners {
				if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
					t.Errorf("serving: %v", err)
				}
			}
		}
	}
	stop := run(listeners)
	sandbox := g.sandbox(t, talkative("one"), allScripts)
	page := openLibrary(t, libraryURL(origin, g, patience, sandbox.OuterURL()), "")
	// It is connected when an event of the view has come.
	var got string
	page.Eval(t, `loaded.then(() => heard('s0', 'console')).then(() => heard('s0', 'ready')).then(() => by('s0').state)`, &got)
	if got != "ready" {
		t.Fatalf("the element is %s", got)
	}
	stop()
	page.Eval(t, `(async () => {
		await heard('s0', 'state', ({ state }) => state === 'disconnected')
		const note = by('s0').shadowRoot.querySelector('[part=note]')
		return by('s0').state + ' ' + note.checkVisibility() + ' ' + note.textContent
	})()`, &got)
	if got != "disconnected true Connection lost. Trying again…" {
		t.Errorf("without the server the element is %s", got)
	}
	// Meanwhile the sandbox changes; the same ports are free again.
	if _, err := sandbox.SetFiles(g.files(t, talkative("two"))); err != nil {
		t.Fatal(err)
	}
	var again []net.Listener
	for _, l := range listeners {
		back, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		again = append(again, back)
	}
	stop = run(again)
	defer func() { stop() }()
	page.Eval(t, `(async () => {
		const { text } = await heard('s0', 'lifecycle', ({ step }) => step === 'files')
		await heard('s0', 'state', ({ state }) => state === 'ready', log.findIndex(({ detail }) => detail.state === 'disconnected'))
		return by('s0').state + ' ' + by('s0').revision + ' ' + text
	})()`, &got)
	if got != "ready 2 changed /index.html" {
		t.Errorf("with the server back the element is %s", got)
	}

	srv.Remove(sandbox.ID())
	page.Eval(t, `(async () => {
		const { code, advice } = await heard('s0', 'error', ({ kind }) => kind === 'failure')
		return code + ' ' + by('s0').state + ' ' + advice.includes('Make a new sandbox')
	})()`, &got)
	if got != "sandbox-gone failed true" {
		t.Errorf("without its sandbox the element is %s", got)
	}
}

// A browser opens six connections to the outer frame's host, and each of the
// frames would keep one. All of them hear of their own sandbox all the same, and
// one more can be loaded.
func TestManySandboxesOnOnePage(t *testing.T) {
	t.Parallel()
	const many = 9
	origin := startLibraryPage(t, nil)
	g := startGlass(t, func(c *server.Config) { c.Embedders = []string{origin} })
	var sandboxes []*server.Sandbox
	var sources []string
	for i := range many {
		sandbox := g.sandbox(t, talkative(fmt.Sprint("number ", i)), allScripts)
		sandboxes, sources = append(sandboxes, sandbox), append(sources, sandbox.OuterURL())
	}
	page := openLibrary(t, libraryURL(origin, g, patience, sources[:many-1]...), "")
	var got []string
	page.Eval(t, fmt.Sprintf(`loaded.then(() => Promise.all(Array.from({ length: %d }, (_, i) => heard('s' + i, 'console').then(({ text }) => text))))`, many-1), &got)
	for i, text := range got {
		if text != fmt.Sprint("I am number ", i) {
			t.Errorf("element %d heard %q", i, text)
		}
	}
	var last string
	page.Eval(t, fmt.Sprintf(`(async () => {
		document.querySelector('main').append(made('last', %q))
		await heard('last', 'ready')
		return (await heard('last', 'console')).text
	})()`, sources[many-1]), &last)
	if last != fmt.Sprint("I am number ", many-1) {
		t.Errorf("the last element heard %q", last)
	}
	// Nobody was told that it had lost the server, and each hears of what happens now.
	for _, sandbox := range sandboxes[:many-1] {
		if _, err := sandbox.SetFiles(g.files(t, map[string]string{"/later.txt": "later"})); err != nil {
			t.Fatal(err)
		}
	}
	var lost []string
	page.Eval(t, fmt.Sprintf(`Promise.all(Array.from({ length: %d }, (_, i) => heard('s' + i, 'lifecycle', ({ step }) => step === 'files')))
		.then(() => log.filter(({ type, detail }) => type === 'state' && detail.state === 'disconnected').map(({ id }) => id))`, many-1), &lost)
	if len(lost) > 0 {
		t.Errorf("these were told that they had lost the server: %q", lost)
	}
}
