package library

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/playwright-community/playwright-go"

	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// openLibrary opens the embedder's page in Chromium. A script that is not empty runs as init
// script at the sandbox's own origin.
func openLibrary(t *testing.T, url string, script string) glass.Page {
	t.Helper()
	page := glass.NewPage(t)
	if script != "" {
		if err := page.Context().AddInitScript(playwright.Script{Content: &script}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := page.Goto(url); err != nil {
		t.Fatal(err)
	}
	return glass.InChromium(page)
}

// expecting returns a function that compares what an expression gives in the page.
func expecting(t *testing.T, page glass.Page) func(what, expression, want string) {
	return func(what, expression, want string) {
		t.Helper()
		var got string
		page.Eval(t, expression, &got)
		if got != want {
			t.Errorf("%s: got %s, want %s", what, got, want)
		}
	}
}

// The element is removed and put back, moved, given another sandbox, and moved into another
// document.
func TestLibraryElementMoves(t *testing.T) {
	t.Parallel()
	origin := startLibraryPage(t, nil)
	g := glass.Start(t, func(c *server.Config) { c.Embedders = []string{origin} })
	one, two := g.NewSandbox(t, talkative("one"), glass.AllScripts), g.NewSandbox(t, talkative("two"), glass.AllScripts)
	page := openLibrary(t, libraryURL(origin, g, patience, one.OuterURL()), "")
	expect := expecting(t, page)
	expect("at first", `(async () => {
		await loaded
		globalThis.element = by('s0')
		globalThis.main = element.parentNode
		await heard('s0', 'ready')
		await heard('s0', 'console')
		return element.state + ' ' + element.shadowRoot.querySelectorAll('iframe').length
	})()`, "ready 1")

	// Removed and put back: another view. Its console reports the one new line, and none of
	// the lines reported before.
	expect("put back", `(async () => {
		const from = log.length
		element.remove()
		const away = element.state + ' ' + element.shadowRoot.querySelectorAll('iframe').length
		element.reload() // has no effect without a view
		main.append(element)
		await heard('s0', 'ready', undefined, from)
		await heard('s0', 'console', undefined, from)
		const ids = log.filter(({ detail }) => detail.id !== undefined).map(({ type, detail }) => type + detail.id)
		const twice = ids.filter((id, i) => ids.indexOf(id) !== i && !id.startsWith('blocked'))
		return [away, element.shadowRoot.querySelectorAll('iframe').length, 'twice:' + twice, log.slice(from).filter(({ type }) => type === 'state').map(({ detail }) => detail.state)].join(' ')
	})()`, "idle 0 1 twice: idle,booting,ready")

	// Three changes in one turn count as one.
	expect("many times", `(async () => {
		const from = log.length
		for (let i = 0; i < 3; i++) {
			element.remove()
			main.append(element)
		}
		await heard('s0', 'ready', undefined, from)
		return element.state + ' ' + element.shadowRoot.querySelectorAll('iframe').length
	})()`, "ready 1")

	// An element moved with moveBefore does not restart.
	expect("moved", `(async () => {
		const frame = element.shadowRoot.querySelector('iframe'), from = log.length
		const section = document.createElement('section')
		document.body.append(section)
		section.moveBefore(element, null)
		element.reload()
		await heard('s0', 'ready', undefined, from)
		return [element.parentNode === section, element.shadowRoot.querySelector('iframe') === frame, log.slice(from).filter(({ type }) => type === 'state').map(({ detail }) => detail.state)].join(' ')
	})()`, "true true ready")

	// Another address is another sandbox. Setting the same address again does nothing.
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

	// In another document, the outer frame could not know who sends its messages.
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

// Attributes that the page set before the library loaded take effect.
func TestLibraryUpgrades(t *testing.T) {
	t.Parallel()
	origin := startLibraryPage(t, nil)
	g := glass.Start(t, func(c *server.Config) { c.Embedders = []string{origin} })
	sandbox := g.NewSandbox(t, talkative("one"), glass.AllScripts)
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

// Nothing runs, and the element says why, with an event and in a visible text. Its button
// retries, which helps once the fault is gone. If the frame gives no answer, the element
// retries by itself.
func TestLibrarySaysWhyNothingRuns(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		code    string
		timeout int
		// fault answers requests itself while it lasts. Without one, the browser refuses the
		// sandbox's first worker.
		fault func(w http.ResponseWriter, r *http.Request) bool
		// itself: the fault occurs once, and the element recovers by itself. The first waits
		// of hurry, in milliseconds, end at once.
		itself bool
		hurry  string
	}{
		{"frame-timeout", 200, func(w http.ResponseWriter, r *http.Request) bool {
			if len(r.URL.Path) != 27 {
				return false
			}
			<-r.Context().Done()
			return true
		}, false, ""},
		{"no-answer", patience, func(w http.ResponseWriter, r *http.Request) bool {
			if len(r.URL.Path) != 27 {
				return false
			}
			http.Error(w, "on purpose", http.StatusNotFound)
			return true
		}, true, "10_000, 5_000"},
		{"sandbox-gone", patience, func(w http.ResponseWriter, r *http.Request) bool {
			if len(r.URL.Path) != 27 {
				return false
			}
			// An outer frame answers so when its server no longer knows the sandbox.
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, `<!doctype html><script>addEventListener('message', ({ ports: [port] }) => port.postMessage({ kind: 'state', state: 'ready', containment: 'csp', connected: false, code: 'sandbox-gone', text: 'It is no more.', advice: 'Make another.' }))</script>`)
			return true
		}, false, ""},
		{"storage-blocked", patience, nil, false, ""},
	} {
		t.Run(row.code, func(t *testing.T) {
			t.Parallel()
			origin := startLibraryPage(t, nil)
			var on atomic.Bool
			on.Store(true)
			g := glass.StartBehind(t, func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if !on.Load() || row.fault == nil || !row.fault(w, r) {
						next.ServeHTTP(w, r)
						return
					}
					if row.itself {
						on.Store(false)
					}
				})
			}, func(c *server.Config) { c.Embedders = []string{origin} })
			sandbox := g.NewSandbox(t, talkative("one"), glass.AllScripts)
			script := fmt.Sprintf(`if (location.origin === %q) {
				const { setTimeout } = window, hurry = new Set([%s])
				window.setTimeout = (f, ms) => setTimeout(f, hurry.delete(ms) ? 0 : ms)
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
				await heard('s0', 'error')
				const { state, card, detail: { kind, code, text, advice } } = log.find(({ type }) => type === 'error')
				return [kind, code, state, String([text, advice, code].every((part) => part !== '' && card.includes(part)))]
			})()`, &got)
			if want := fmt.Sprint([]string{"failure", row.code, "failed", "true"}); fmt.Sprint(got) != want {
				t.Errorf("the element says %v, want %s", got, want)
			}
			on.Store(false)
			var state string
			page.Eval(t, fmt.Sprintf(`(async () => {
				if (!%v) by('s0').shadowRoot.querySelector('button').click()
				await heard('s0', 'ready')
				const card = by('s0').shadowRoot.querySelector('[role=alert]')
				return by('s0').state + ' ' + card.checkVisibility() + ' ' + by('s0').failure
			})()`, row.itself), &state)
			if state != "ready false undefined" {
				t.Errorf("when the fault is gone the element is %s", state)
			}
		})
	}
}
