package library

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// A changed style sheet is replaced in place: the page's state stays, and no frame is painted
// without a sheet. It does not matter whether a link or another sheet loads it, except in
// Firefox: it loads the same address once for a document, so an imported sheet needs a load.
func TestStyleSheetsAreReplacedInPlace(t *testing.T) {
	t.Parallel()
	for name, open := range glass.Engines {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := openLive(t, open, glass.AllScripts, map[string]string{
				"/index.html": `<!doctype html><html lang="en"><meta charset="utf-8"><title>Styles</title><link rel="stylesheet" href="a%20b/style.css?x" media="screen"><script src="/run.js"></script><p>Text</p>`,
				"/run.js": runner + `
					globalThis.kept = Math.random()
					const seen = new Set()
					globalThis.look = () => { const { color, backgroundColor, borderTopColor } = getComputedStyle(document.querySelector('p')); return [color, backgroundColor, borderTopColor].join(' ') }
					const sample = () => { seen.add(look()); requestAnimationFrame(sample) }
					globalThis.loaded = new Promise((resolve) => addEventListener('load', resolve))
					loaded.then(() => requestAnimationFrame(sample))
					globalThis.all = () => [...seen].sort().join('; ')`,
				"/a b/style.css": `@import "base.css" screen; p { color: rgb(1, 0, 0) }`,
				"/a b/base.css":  `@import url(deep.css); p { background: rgb(0, 1, 0) }`,
				"/a b/deep.css":  `p { border: 1px solid rgb(0, 0, 1) }`,
			})
			kept := v.eval(`asked('String(kept)')`)
			want := []string{"rgb(1, 0, 0) rgb(0, 1, 0) rgb(0, 0, 1)"}
			for _, step := range []struct {
				name     string
				imported bool
				path     string
				text     string
				want     string
			}{
				{"the linked sheet", false, "/a b/style.css", `@import "base.css" screen; p { color: rgb(2, 0, 0) }`, "rgb(2, 0, 0) rgb(0, 1, 0) rgb(0, 0, 1)"},
				{"the imported sheet", true, "/a b/base.css", `@import url(deep.css); p { background: url(a.png) rgb(0, 2, 0) }`, "rgb(2, 0, 0) rgb(0, 2, 0) rgb(0, 0, 1)"},
				{"the deepest sheet", true, "/a b/deep.css", `p { border: 1px solid rgb(0, 0, 2) }`, "rgb(2, 0, 0) rgb(0, 2, 0) rgb(0, 0, 2)"},
				{"the linked sheet again", false, "/a b/style.css", `@import "base.css" screen; p { color: rgb(3, 0, 0) }`, "rgb(3, 0, 0) rgb(0, 2, 0) rgb(0, 0, 2)"},
			} {
				manner := "styles"
				if name == "Firefox" && step.imported {
					manner = "document"
				}
				t.Log(step.name)
				v.eval(fmt.Sprintf(`shown('%s', %d).then(({ path }) => path)`, manner, v.write(map[string]string{step.path: step.text})))
				want = append(want, step.want)
				// Two frames, so that the sampler has seen the last sheet.
				got := v.eval(`asked('loaded.then(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(look())))))')`)
				if got != step.want {
					t.Errorf("%s: the styles are %s, want %s", step.name, got, step.want)
				}
				for _, look := range strings.Split(v.eval(`asked('all()')`), "; ") {
					if !slices.Contains(want, look) {
						t.Errorf("%s: a frame had the styles %s", step.name, look)
					}
				}
				now := v.eval(`asked('String(kept)')`)
				if (now == kept) != (manner == "styles") {
					t.Errorf("%s: the state is kept: %v", step.name, now == kept)
				}
				kept = now
			}
			v.notBooted()
			// Another file changes with a sheet: only a load shows that.
			v.eval(fmt.Sprintf(`shown('document', %d).then(({ path }) => path)`, v.write(map[string]string{"/a b/style.css": "p { color: rgb(9, 9, 9) }", "/other.txt": "new"})))
			if got := v.eval(`asked('look()')`); !strings.HasPrefix(got, "rgb(9, 9, 9)") {
				t.Errorf("after the load the styles are %s", got)
			}
			v.notBooted()
		})
	}
}

// Any other change is one load of the view in place. It keeps the address, the scroll
// position, the length of the history, and what the user has entered.
func TestChangesLoadTheViewInPlace(t *testing.T) {
	t.Parallel()
	for name, open := range glass.Engines {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := openLive(t, open, glass.AllScripts, map[string]string{
				"/index.html":     `<!doctype html><meta charset="utf-8"><title>Index</title><script src="/run.js"></script>`,
				"/run.js":         runner,
				"/word.js":        `document.title = 'one'`,
				"/more/page.html": `<!doctype html><html lang="en"><meta charset="utf-8"><title>Page</title><script src="/run.js"></script><script src="/word.js"></script><div style="height: 9000px"></div><form><input id="text" value="default"><input id="same" value="default"><input type="checkbox" name="box"><input type="password" id="secret"><select name="list" multiple><option>a<option>b<option>c</select><textarea name="area"></textarea></form>`,
			})
			const at = "/more/page?q=1#here"
			v.eval(fmt.Sprintf(`(run('location.href = %q'), heard('s0', 'shown', ({ path }) => path === %[1]q).then(({ path }) => path))`, at))
			const entered = `[text.value, same.value, document.forms[0].box.checked, secret.value, [...document.forms[0].list.selectedOptions].map(({ value }) => value), document.forms[0].area.value, Math.round(scrollY), history.length, location.pathname + location.search + location.hash].join(' ')`
			before := v.eval(`asked(` + glass.Literal(t, `(async () => {
				if (document.readyState !== 'complete') await new Promise((resolve) => addEventListener('load', resolve, { once: true }))
				text.value = 'typed'; document.forms[0].box.checked = true; secret.value = 'secret'; document.forms[0].list.options[1].selected = document.forms[0].list.options[2].selected = true; document.forms[0].area.value = 'lines'
				scrollTo(0, 3000)
				return `+entered+`
			})()`) + `)`)
			// A document that is busy when the change comes answers later, and keeps everything.
			v.eval(`(run('for (const end = performance.now() + 2_000; performance.now() < end;);'), '')`)
			revision := v.write(map[string]string{"/word.js": `document.title = 'two'`})
			v.eval(fmt.Sprintf(`shown('document', %d).then(({ path }) => path)`, revision))
			after := v.eval(`asked(` + glass.Literal(t, `(async () => {
				for (const end = performance.now() + 60_000; (text.value === 'default' || scrollY === 0) && performance.now() < end;) await new Promise((resolve) => setTimeout(resolve, 20))
				return document.title + ' ' + `+entered+`
			})()`) + `)`)
			if want := "two " + strings.Replace(before, " secret ", "  ", 1); after != want {
				t.Errorf("before the change there was %q, after it %q, want %q", before, after, want)
			}
			if got := v.eval(`by('s0').path`); got != at {
				t.Errorf("the element is at %q", got)
			}
			v.notBooted()
		})
	}
}

// A document that reloads for a change is the new one at once, even if the worker's stream is late.
func TestAChangeLoadsTheViewOnce(t *testing.T) {
	t.Parallel()
	for name, open := range glass.Engines {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			gate := glass.NewGate(protocol.ChangesPath, len("1\n")) // the worker hears of the first revision alone
			page := func(word string) map[string]string {
				return map[string]string{"/index.html": `<!doctype html><html lang="en"><meta charset="utf-8"><title>Once</title><p>` + word}
			}
			v := openLiveBehind(t, gate.HoldAnswers, open, glass.AllScripts, page("one"))
			v.eval(fmt.Sprintf(`shown('document', %d).then(({ path }) => path)`, v.write(page("two"))))
			if got := v.eval(`log.filter(({ type }) => type === 'shown').map(({ detail }) => detail.revision).join()`); got != "1,2" {
				t.Errorf("the view shows the revisions %s", got)
			}
			v.notBooted()
		})
	}
}

// Many changes in a short time: the view shows as many as it has time for, the last one in any
// case, and ends with nothing of an earlier one.
func TestManyChangesArrive(t *testing.T) {
	t.Parallel()
	for name, open := range glass.Engines {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := func(n int) map[string]string {
				return map[string]string{
					"/index.html": fmt.Sprintf(`<!doctype html><html lang="en"><meta charset="utf-8"><title>Many</title><link rel="stylesheet" href="/style.css"><p data-n="%d"></p><script src="/n.js"></script>`, n),
					"/style.css":  fmt.Sprintf(`p { z-index: %d; position: relative }`, n),
					"/n.js":       fmt.Sprintf(`addEventListener('load', () => console.log(document.querySelector('p').dataset.n, %d, getComputedStyle(document.querySelector('p')).zIndex))`, n),
				}
			}
			v := openLive(t, open, glass.AllScripts, files(0))
			const edits = 31
			pace := time.NewTicker(3 * time.Second / edits)
			defer pace.Stop()
			for n := 1; n <= edits; n++ {
				<-pace.C
				v.write(files(n))
			}
			v.eval(fmt.Sprintf(`heard('s0', 'console', ({ text }) => text === '%d %[1]d %[1]d').then(({ text }) => text)`, edits))
			seen := strings.Split(v.eval(`log.filter(({ type }) => type === 'console').map(({ detail }) => detail.text).join('; ')`), "; ")
			if last := seen[len(seen)-1]; last != fmt.Sprintf("%d %[1]d %[1]d", edits) {
				t.Errorf("in the end the view shows %s", last)
			}
			t.Logf("of %d changes, the view loaded %d: %s", edits, len(seen)-1, strings.Join(seen, "; "))
			v.notBooted()
		})
	}
}

// A change during a load is shown after it. The document blocks its load until after the change.
func TestAChangeDuringALoadIsShown(t *testing.T) {
	t.Parallel()
	for name, open := range glass.Engines {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := func(word string) map[string]string {
				return map[string]string{"/index.html": fmt.Sprintf(`<!doctype html><html lang="en"><meta charset="utf-8"><title>Slow</title><script>const until = performance.now() + 500; while (performance.now() < until);</script><script>addEventListener('load', () => console.log(%q))</script>`, word)}
			}
			v := openLive(t, open, glass.AllScripts, text("one"))
			v.eval(fmt.Sprintf(`shown('document', %d).then(({ path }) => path)`, v.write(text("two"))))
			v.write(text("three"))
			if got := v.eval(`heard('s0', 'lifecycle', ({ step }) => step === 'files').then(({ files: { added, changed, removed } }) => [added.count, changed.count, changed.list, removed.count].join())`); got != "0,1,/index.html,0" {
				t.Errorf("the event of a change names the files %s", got)
			}
			if got := v.eval(`heard('s0', 'console', ({ text }) => text === 'three').then(({ text }) => text)`); got != "three" {
				t.Errorf("the view shows %s", got)
			}
			v.notBooted()
		})
	}
}

// Pages that do not load themselves again are loaded by the outer frame.
func TestPagesThatDoNotUpdateThemselves(t *testing.T) {
	t.Parallel()
	for name, open := range glass.Engines {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			t.Run("the client script is broken", func(t *testing.T) {
				t.Parallel()
				page := func(word string) map[string]string {
					return map[string]string{"/page.html": fmt.Sprintf(`<!doctype html><html lang="en"><meta charset="utf-8"><title>Broken</title><script>Object.defineProperty(MessageEvent.prototype, 'data', { get() { throw new Error('broken') } }); addEventListener('load', () => console.log(location.pathname + location.search, %q))</script>`, word), "/index.html": `<!doctype html><script>location.replace('/page.html?q')</script>`}
				}
				v := openLive(t, open, glass.AllScripts, page("one"))
				v.eval(`heard('s0', 'console', ({ text }) => text === '/page.html?q one').then(({ text }) => text)`)
				v.write(page("two"))
				v.eval(`heard('s0', 'console', ({ text }) => text === '/page.html?q two').then(({ text }) => text)`)
				v.notBooted()
			})
			t.Run("an image", func(t *testing.T) {
				t.Parallel()
				origin := startLibraryPage(t, nil)
				g := glass.Start(t, func(c *server.Config) { c.Embedders = []string{origin} })
				image := func(size int) map[string]string {
					return map[string]string{"/image.svg": fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="10"/>`, size)}
				}
				sandbox, err := g.Create(server.Spec{Files: g.Files(t, image(1)), Policy: glass.Parse(t, glass.AllScripts), Entry: "/image.svg"})
				if err != nil {
					t.Fatal(err)
				}
				v := &liveView{t: t, glass: g, sandbox: sandbox, page: open(t, libraryURL(origin, g, patience, sandbox.OuterURL())), files: map[string]string{}}
				v.eval(living)
				revision := v.write(image(2))
				v.eval(fmt.Sprintf(`heard('s0', 'verdict', ({ url, revision }) => url.endsWith('/image.svg') && revision === %d).then(({ url }) => url)`, revision))
				v.notBooted()
			})
		})
	}
}

// However many frames a page makes, its own document is still heard and still updates itself.
func TestManyNestedFrames(t *testing.T) {
	t.Parallel()
	for name, open := range glass.Engines {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := openLive(t, open, glass.AllScripts, map[string]string{
				"/index.html":  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Index</title><link rel="stylesheet" href="/style.css"><script src="/run.js"></script><body>`,
				"/style.css":   ``,
				"/nested.html": `<!doctype html><html lang="en"><meta charset="utf-8"><title>Nested</title>`,
				"/run.js": runner + `
					globalThis.nest = async (stays) => {
						for (let n = 0; n < 70; n++) {
							const frame = document.createElement('iframe')
							const loaded = new Promise((resolve) => { frame.onload = resolve })
							frame.src = '/nested.html'
							document.body.append(frame)
							await loaded
							if (!stays) frame.remove()
						}
						return 'done'
					}`,
			})
			// Frames of the same origin may use the sheet, so the page loads itself.
			for _, c := range []struct {
				stays  bool
				manner string
			}{{false, "styles"}, {true, "document"}} {
				v.eval(fmt.Sprintf(`asked('nest(%t)')`, c.stays))
				v.eval(fmt.Sprintf(`(run('console.log("heard %t")'), heard('s0', 'console', ({ text }) => text === 'heard %[1]t').then(({ text }) => text))`, c.stays))
				revision := v.write(map[string]string{"/style.css": fmt.Sprintf("p { content: '%t' }", c.stays)})
				v.eval(fmt.Sprintf(`shown('%s', %d).then(({ path }) => path)`, c.manner, revision))
			}
			v.notBooted()
		})
	}
}

// reloaded is the states during a reload, and the path and the token of the document after it.
const reloaded = `(async () => {
	const from = log.length
	by('s0').reload()
	await heard('s0', 'ready', undefined, from)
	return log.slice(from).filter(({ type }) => type === 'state').map(({ detail }) => detail.state).join() + ' ' + by('s0').path + ' ' + await asked('String(token)')
})()`

// The element's reload is a load in place, too. After a change of the policy it is a boot.
func TestReloadInPlace(t *testing.T) {
	t.Parallel()
	for name, open := range glass.Engines {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := openLive(t, open, glass.AllScripts, map[string]string{
				"/index.html":     `<!doctype html><meta charset="utf-8"><title>Index</title><script src="/run.js"></script>`,
				"/more/page.html": `<!doctype html><meta charset="utf-8"><title>Page</title><script src="/run.js"></script>`,
				"/run.js":         runner + `globalThis.token = Math.random()`,
			})
			v.eval(`(by('s0').liveUpdate = false, run('location.href = "/more/page.html?q"'), heard('s0', 'shown', ({ path }) => path === '/more/page.html?q').then(({ path }) => path))`)
			token := v.eval(`asked('String(token)')`)
			got := v.eval(reloaded)
			if !strings.HasPrefix(got, "ready /more/page.html?q ") || strings.HasSuffix(got, token) {
				t.Errorf("after the reload there is %s; the document before it was %s", got, token)
			}
			// Without live update, a change waits for the reload.
			v.write(map[string]string{"/run.js": runner + `globalThis.token = 'changed'`})
			if got := v.eval(`heard('s0', 'lifecycle', ({ step }) => step === 'files').then(() => asked('String(token)'))`); got == "changed" {
				t.Error("the change is shown without live update")
			}
			if got := v.eval(reloaded); got != "ready /more/page.html?q changed" {
				t.Errorf("after the change and a reload there is %s", got)
			}
			if _, err := v.sandbox.SetPolicy(glass.Parse(t, glass.AllScripts+"rules:\n  - id: one\n    allow: https://one.example\n")); err != nil {
				t.Fatal(err)
			}
			if got := v.eval(`heard('s0', 'lifecycle', ({ step }) => step === 'policy').then(() => ` + reloaded + `)`); !strings.HasPrefix(got, "booting,ready ") {
				t.Errorf("after a change of the policy the reload gives %s", got)
			}
		})
	}
}

// A frame that still waits for its turn to hear events reloads in place, too.
func TestReloadInPlaceBeforeTheFirstEvent(t *testing.T) {
	t.Parallel()
	for name, open := range glass.Engines {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			script := `<!doctype html><meta charset="utf-8"><title>Early</title><script src="/run.js"></script>`
			v := openLiveBehind(t, glass.NewGate("/events", 0).HoldRequests, open, glass.AllScripts, map[string]string{"/index.html": script, "/page.html": script, "/run.js": runner + `globalThis.token = 'loaded'`})
			v.eval(`(run('location.href = "/page.html"'), heard('s0', 'shown', ({ path }) => path === '/page.html').then(({ path }) => path))`)
			if got := v.eval(reloaded); got != "ready /page.html loaded" {
				t.Errorf("after the reload there is %s", got)
			}
		})
	}
}

// Without a worker, the server answers the load in place.
func TestLiveUpdateWithoutWorker(t *testing.T) {
	t.Parallel()
	for name, open := range glass.WorkerlessEngines {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{"/index.html": `<!doctype html><meta charset="utf-8"><title>Without</title><link rel="stylesheet" href="/style.css"><script src="/run.js"></script><p>Text`, "/run.js": runner + `globalThis.word = 'one'`, "/style.css": "p { color: rgb(1, 0, 0) }"}
			v := openLive(t, open, "worker: preferred\n"+glass.AllScripts, files)
			v.eval(fmt.Sprintf(`shown('styles', %d).then(({ path }) => path)`, v.write(map[string]string{"/style.css": "p { color: rgb(2, 0, 0) }"})))
			if got := v.eval(`asked('getComputedStyle(document.querySelector("p")).color')`); got != "rgb(2, 0, 0)" {
				t.Errorf("the color is %s", got)
			}
			v.eval(fmt.Sprintf(`shown('document', %d).then(({ path }) => path)`, v.write(map[string]string{"/run.js": runner + `globalThis.word = 'two'`})))
			if got := v.eval(`asked('word')`); got != "two" {
				t.Errorf("the script says %s", got)
			}
			v.notBooted()
		})
	}
}
