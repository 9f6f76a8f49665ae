package library

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// sizing is a document that runs the code that the embedder's page posts to it. hostile hands
// the outer frame a port of its own, as the client script does, and reports heights on it.
// pings resolves when the outer frame has pinged that port twice, 1 s apart. By then the outer
// frame has sent every reaction to reports that it got before the first ping.
var sizing = map[string]string{
	"/index.html":  `<!doctype html><script src="/run.js"></script><div style="height: 120px"></div>`,
	"/quirks.html": `<script src="/run.js"></script><div style="height: 130px"></div>`,
	"/run.js": `
		addEventListener('message', ({ data }) => { if (typeof data.run === 'string') (0, eval)(data.run) })
		globalThis.fill = (html) => { document.body.innerHTML = html }
		globalThis.hostile = (heights, to = parent) => {
			const { port1, port2 } = new MessageChannel()
			globalThis.heard = []
			port1.onmessage = ({ data }) => heard.push(data.kind)
			to.postMessage({ kind: 'hello', protocol: 1 }, '*', [port2])
			globalThis.port = port1
			tell(heights)
		}
		globalThis.tell = (heights) => { for (const height of heights) port.postMessage({ kind: 'size', height }) }
		globalThis.pings = async () => {
			const { length } = heard
			while (heard.slice(length).filter((kind) => kind === 'ping').length < 2) await new Promise((resolve) => port.addEventListener('message', resolve, { once: true }))
		}
		globalThis.answer = (value) => top.postMessage({ answer: value }, '*')`,
}

// sizedWithin is shorter than the patience of every driver, so that the page says what is wrong.
const sizedWithin = time.Minute

// measuring is the embedder's side. sized resolves when the element has that height inside its
// border. warned resolves when the page was warned that an element no longer follows.
const measuring = `(async () => {
	await loaded
	globalThis.warnings = []
	globalThis.applied = {}
	const { warn } = console
	const waiting = new Set()
	const changed = () => { for (const look of waiting) look() }
	const until = (test, what) => new Promise((resolve, reject) => {
		// A later what would ask the document in the middle of another step.
		const timer = setTimeout(async () => reject(new Error(await what())), PATIENCE)
		const look = () => {
			if (!test()) return
			waiting.delete(look)
			clearTimeout(timer)
			resolve('')
		}
		waiting.add(look)
		look()
	})
	console.warn = (text, element) => {
		warn(text)
		warnings.push(element?.id + ' ' + text)
		changed()
	}
	globalThis.run = (id, code) => by(id).shadowRoot.querySelector('iframe').contentWindow[0].postMessage({ run: code }, '*')
	globalThis.asked = (id, code) => new Promise((resolve) => {
		addEventListener('message', ({ data }) => resolve(data.answer), { once: true })
		run(id, code)
	})
	const told = async (id) => {
		const states = log.filter((each) => each.id === id && (each.type === 'state' || each.type === 'shown')).map(({ detail }) => detail.state ?? detail.path)
		const silent = new Promise((resolve) => setTimeout(resolve, 5_000, 'nothing'))
		const document = await Promise.race([asked(id, 'answer([innerWidth, innerHeight, document.documentElement.outerHTML].join())'), silent])
		return 'its heights were ' + applied[id] + ', the last reported one ' + by(id).shadowRoot.firstElementChild.style.height + ', its states and paths ' + states + ', its document says ' + document
	}
	globalThis.sized = (id, height) => until(() => by(id).clientHeight === height, async () => id + ' is ' + by(id).clientHeight + ' px tall, want ' + height + '; ' + await told(id))
	globalThis.warned = (id) => until(() => warnings.some((text) => text.startsWith(id + ' Bellglass: autosize has stopped')), async () => 'no warning says that ' + id + ' stopped resizing; ' + await told(id))
	for (const [i, element] of document.querySelectorAll('bellglass-sandbox').entries()) {
		// All stay in view, because browsers may skip the layout of elements outside it.
		Object.assign(element.style, { position: 'absolute', top: 0, left: 110 * i + 'px', width: '100px' })
		applied[element.id] = []
		new ResizeObserver(() => {
			applied[element.id].push(element.clientHeight)
			changed()
		}).observe(element)
		await heard(element.id, 'ready')
	}
	return true
})()`

// sizes are the steps of one element, in one document that changes and then in others. Each
// step is what the document does, what the page around it does, and the resulting height.
var sizes = []struct {
	name, document, page string
	height               int
}{
	{"as it is", ``, `element.autosize = true`, 136},
	{"grows", `fill('<div style="height: 600px"></div>')`, ``, 616},
	{"shrinks", `fill('<div style="height: 100px"></div>')`, ``, 116},
	{"a fraction", `fill('<div style="height: 90.3px"></div>')`, ``, 107},
	{"border-box", `fill('<div style="height: 80px"></div>')`, `element.style.boxSizing = 'border-box'`, 96},
	{"maximum", `fill('<div style="height: 900px"></div>')`, `element.style.maxHeight = '302px'`, 300},
	{"minimum", `fill('<div style="height: 10px"></div>')`, `element.style.minHeight = '202px'`, 200},
	{"no bounds", `fill('<div style="height: 70px"></div>')`, `element.style.minHeight = element.style.maxHeight = element.style.boxSizing = ''`, 86},
	{"nothing in the flow", `fill('<div style="position: fixed; height: 300px"></div>'); setTimeout(() => fill('<div style="height: 88px"></div>'), 150)`, ``, 104},
	{"fixed beside", `document.body.style.margin = 0; fill('<div style="height: 150px"></div><div style="position: fixed; bottom: 0">end</div>')`, ``, 150},
	{"absolute", `fill('<div style="height: 50px"></div><p><span style="position: absolute; top: 0; height: 210px">far</span></p>')`, ``, 210},
	{"margins", `fill('<div style="height: 60px; margin: 30px"></div>')`, ``, 120},
	{"a body that fills the viewport", `document.body.style.cssText = 'min-height: 100vh; display: flex; align-items: center'; fill('<div style="height: 250px"></div>')`, ``, 266},
	{"and shrinks", `fill('<div style="height: 75px"></div>')`, ``, 91},
	{"all of 100%", `document.body.style.cssText = document.documentElement.style.cssText = 'height: 100%'; fill('<div style="height: 100%"><div style="height: 310px"></div></div>')`, ``, 326},
	{"and shrinks again", `document.querySelector('div div').style.height = '65px'`, ``, 81},
	{"an image", `fill('<img src="data:image/svg+xml,<svg xmlns=%22http://www.w3.org/2000/svg%22 width=%2220%22 height=%22190%22/>" style="display: block">')`, ``, 206},
	{"hidden", `fill('<div style="height: 140px"></div>')`, `element.hidden = true; requestAnimationFrame(() => { element.hidden = false })`, 156},
	{"a nested document", `document.body.style.cssText = 'margin: 0'; fill('<iframe src="/index.html" style="display: block; width: 50px; height: 170px; border: 0"></iframe>')`, ``, 170},
	{"in quirks mode", `location = '/quirks.html'`, ``, 146},
	{"and shrinks in it", `fill('<div style="height: 40px"></div>')`, ``, 56},
	{"loaded again", ``, `element.reload()`, 146},
	{"in standards mode again", `location = '/index.html'`, ``, 136},
	{"too tall", `fill('<div style="height: 100000px"></div>')`, ``, 32767},
	{"no longer", ``, `element.autosize = false`, 200},
	{"again", `fill('<div style="height: 111px"></div>')`, `element.autosize = true`, 127},
}

// loops never settle: each height of the element gives the document another height.
var loops = []string{
	`fill('<div style="height: 100vh"></div>')`,
	`fill('<div></div>'); addEventListener('resize', () => setTimeout(() => { document.querySelector('div').style.height = innerHeight + 20 + 'px' }, 100)); dispatchEvent(new Event('resize'))`,
	`fill('<div></div>'); addEventListener('resize', () => { document.querySelector('div').style.height = innerHeight > 250 ? '200px' : '300px' }); dispatchEvent(new Event('resize'))`,
	// Not a loop, but no document may make the embedder's page jump all the time.
	`fill('<div></div>'); setInterval(() => { document.querySelector('div').style.height = Date.now() / 100 % 2 < 1 ? '200px' : '300px' }, 20)`,
}

func TestAutosize(t *testing.T) {
	t.Parallel()
	for name, open := range glass.Engines {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			origin := startLibraryPage(t, nil)
			g := glass.Start(t, func(c *server.Config) { c.Embedders = []string{origin} })
			address := g.NewSandbox(t, sizing, glass.AllScripts).OuterURL()
			const follows, lies, plain, writes, loopsFrom = "s0", "s1", "s2", "s3", 4
			page := open(t, libraryURL(origin, g, patience, slices.Repeat([]string{address}, loopsFrom+len(loops))...))
			eval := func(expression string) (result string) {
				t.Helper()
				page.Eval(t, expression, &result)
				return result
			}
			var ready bool
			page.Eval(t, strings.Replace(measuring, "PATIENCE", fmt.Sprint(sizedWithin.Milliseconds()), 1), &ready)

			// Start the steps that take some seconds.
			for i, loop := range loops {
				eval(fmt.Sprintf(`(by('s%[1]d').autosize = true, run('s%[1]d', %[2]q), '')`, loopsFrom+i, loop))
			}
			eval(`(by('` + writes + `').autosize = true, run('` + writes + `', "let n = 0; const timer = setInterval(() => { fill('<div style=\"height:' + (200 + ++n) + 'px\"></div>'); if (n === 60) clearInterval(timer) }, 70)"), '')`)

			for _, row := range sizes {
				t.Log(row.name) // if the height never comes, the last name logged is the failing step
				eval(fmt.Sprintf(`(async () => {
					const element = by(%q)
					if (element.autosize) element.setAttribute('autosize', '') // without this, frequent changes of the height would count as a loop
					run(element.id, %q)
					%s
					return sized(element.id, %d)
				})()`, follows, row.document, row.page, row.height))
			}

			if left := eval(fmt.Sprintf(`asked(%q, 'answer([document.adoptedStyleSheets.length, getComputedStyle(document.body).position].join())')`, follows)); left != "0,static" {
				t.Errorf("the measurements have left style sheets and a position: %s, want 0,static", left)
			}
			// A scrolled part of the document keeps its position. The second assignment of
			// style sheets is the end of a measurement.
			eval(fmt.Sprintf(`(by(%[1]q).style.maxHeight = '150px', run(%[1]q, %[2]q), sized(%[1]q, 150))`, follows, `document.body.style.cssText = document.documentElement.style.cssText = 'height: 100%; margin: 0'; fill('<div style="height: 100%; overflow: auto"><p style="height: 900px"></p></div>')`))
			if place := eval(fmt.Sprintf(`asked(%q, %q)`, follows, `{
				const part = document.querySelector('div'), { get, set } = Object.getOwnPropertyDescriptor(Document.prototype, 'adoptedStyleSheets')
				let sets = 0
				part.onscroll = () => {
					part.onscroll = null
					Object.defineProperty(document, 'adoptedStyleSheets', { configurable: true, get, set(sheets) {
						set.call(document, sheets)
						if (++sets === 2) answer(String(part.scrollTop))
					} })
					part.append('more')
				}
				part.scrollTop = 100
			}`)); place != "100" {
				t.Errorf("a measurement has scrolled a part of the document to %s, want 100", place)
			}
			// Without the attribute, nothing asks the document or listens to it.
			if heard := eval(fmt.Sprintf(`asked(%q, 'hostile([777]); pings().then(() => answer(String(heard.filter((kind) => kind !== "ping"))))')`, plain)); heard != "" {
				t.Errorf("without the attribute the document receives %s", heard)
			}
			// With it, only whole numbers within the bounds count, and only reports of the
			// view's own document. The bad heights follow a good one, which they would
			// replace.
			eval(fmt.Sprintf(`(async () => {
				by(%[1]q).autosize = true
				run(%[1]q, 'hostile([])')
				run(%[1]q, 'tell([300, NaN, 1e9, 32768, -5, 0, 0.5, Infinity, "900", null, {}, [900], 900n, undefined])')
				await sized(%[1]q, 300)
				run(%[1]q, 'tell(Array.from({ length: 1_000 }, (_, i) => 400 + i %% 2)); tell([350])')
				return sized(%[1]q, 350)
			})()`, lies))
			eval(fmt.Sprintf(`asked(%q, 'fill("<iframe src=/index.html></iframe>"); onmessage = ({ data }) => { if (data === "told") pings().then(() => answer("")) }; document.querySelector("iframe").onload = ({ target }) => { target.contentWindow.eval("hostile([777], parent.parent); parent.postMessage(\'told\', \'*\')") }')`, lies))

			eval(fmt.Sprintf(`sized(%q, 276)`, writes))
			for i := range loops {
				eval(fmt.Sprintf(`warned('s%d')`, loopsFrom+i))
			}
			var warnings []string
			page.Eval(t, `warnings`, &warnings)
			if len(warnings) != len(loops) {
				t.Errorf("the page was warned %d times, want one for each of %d loops: %q", len(warnings), len(loops), warnings)
			}
			var heights map[string][]int
			var raw json.RawMessage
			page.Eval(t, `applied`, &raw)
			if err := json.Unmarshal(raw, &heights); err != nil {
				t.Fatal(err)
			}
			if got := heights[plain]; !slices.Equal(got, []int{200}) {
				t.Errorf("without the attribute the element's heights are %v, want 200 alone", got)
			}
			if got := slices.Min(heights[follows]); got < 26 {
				t.Errorf("a document with nothing in its flow has made the element %d px tall", got)
			}
			for _, height := range heights[lies] {
				if !slices.Contains([]int{200, 136, 300, 350, 400, 401}, height) { // 136 is the document's own height
					t.Errorf("the document that lies has made the element %d px tall", height)
				}
			}
			// After the warning nothing changes until the embedder's page reloads the element.
			eval(fmt.Sprintf(`(by('s%[1]d').reload(), sized('s%[1]d', 136))`, loopsFrom))
		})
	}
}
