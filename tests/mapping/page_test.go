package mapping

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/playwright-community/playwright-go"

	"github.com/bellglass/bellglass/tests/internal/canary"
)

// ways are the ways in which a page makes a request. Each is the body of an async function
// that gets TARGET, and returns when the browser has decided. A browser reads data: and blob:
// without a request. For these ways, the content or something that it starts requests TARGET.
var ways = map[string]string{
	// A WebSocket that a policy blocks gets an error event and never a close event.
	"websocket": `await new Promise((done) => { const w = new WebSocket(TARGET); w.onopen = () => w.close(); w.onerror = w.onclose = done })`,
	"script":    `await made('script', { src: TARGET })`,
	"style":     `await made('link', { rel: 'stylesheet', href: TARGET })`,
	"image":     `await made('img', { src: TARGET })`,
	"frame":     `await made('iframe', { src: TARGET })`,
	"media":     `await made('audio', { preload: 'auto', src: TARGET })`,
	"font":      `await new FontFace('f', 'url(' + JSON.stringify(TARGET) + ')').load()`,
	// A browser starts workers only from the page's own origin. A static import of such a
	// module is a request of the same kind.
	"worker":        `await told(() => new Worker(OWN, { type: 'module' }))`,
	"worker-direct": `await told(() => new Worker(TARGET))`,

	"data-fetch":  `await ask(await (await fetch('data:,' + encodeURIComponent(TARGET))).text())`,
	"blob-fetch":  `await ask(await (await fetch(blob(TARGET))).text())`,
	"data-image":  `if (await made('img', { src: 'data:image/svg+xml,' + encodeURIComponent(svg) })) await ask(TARGET)`,
	"blob-image":  `if (await made('img', { src: blob(svg, 'image/svg+xml') })) await ask(TARGET)`,
	"data-script": `if (await made('script', { src: 'data:text/javascript,' + encodeURIComponent(asking('data')) })) await asked.data(TARGET)`,
	"blob-script": `if (await made('script', { src: blob(asking('blob')) })) await asked.blob(TARGET)`,
	"data-worker": `if (await told(() => new Worker('data:text/javascript,postMessage(1)'))) await ask(TARGET)`,
	"blob-worker": `if (await told(() => new Worker(blob('postMessage(1)')))) await ask(TARGET)`,
}

// mappingScript makes all requests at once. It returns their URLs as the browser writes them:
// without user name and fragment.
const mappingScript = `async (requests) => {
	const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'
	const blob = (text, type) => URL.createObjectURL(new Blob([text], { type }))
	globalThis.ask = (url, method = 'GET') => fetch(url, { method, mode: ['GET', 'HEAD', 'POST'].includes(method) ? 'no-cors' : 'cors' })
	globalThis.asked = {}
	const asking = (name) => 'asked.' + name + ' = ask'
	const made = (name, properties) => new Promise((done) => {
		const element = document.createElement(name)
		element.onload = element.oncanplaythrough = () => done(true)
		element.onerror = () => done(false)
		Object.assign(element, properties)
		document.body.append(element)
	})
	const told = (start) => new Promise((done) => {
		const worker = start()
		worker.onmessage = () => done(true)
		worker.onerror = () => done(false)
	})
	const ways = {
WAYS	}
	const unsettled = new Set(requests)
	const tooLate = new Promise((_, fail) => setTimeout(() => fail(new Error('the browser has not decided: ' + [...unsettled].join('; '))), 20_000))
	await Promise.race([tooLate, Promise.all(requests.map(async (request) => {
		const [how, target, , own] = request
		try {
			await (ways[how] ?? (() => ask(target, how)))(target, own)
		} catch {} // The canary shows what was sent, whatever the page sees.
		unsettled.delete(request)
	}))])
	return requests.map(([, target, to]) => {
		const url = new URL(to || target)
		url.username = url.password = url.hash = ''
		return url.href
	})
}`

func mappingCode() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(ways)) {
		fmt.Fprintf(&b, "\t\t%q: async (TARGET, OWN) => { %s },\n", name, ways[name])
	}
	return strings.Replace(mappingScript, "WAYS", b.String(), 1)
}

// load opens the page and makes its requests.
func (p *mappingPage) load(birds *canary.Canary, tab playwright.Page) error {
	_, port, _ := strings.Cut(strings.TrimPrefix(p.origin, "http://"), ":")
	path := "/mapping-" + port
	birds.Answer(path, p.answer("text/html", "<!doctype html><title>mapping</title><body>"))
	if _, err := tab.Goto(p.origin + path); err != nil {
		return err
	}
	var requests []*mappingRequest
	var all [][]string
	for _, run := range p.runs {
		for i := range run.requests {
			r := &run.requests[i]
			own := fmt.Sprintf("%s-%d.mjs", path, len(all))
			if r.to != "" {
				from, err := url.Parse(r.from)
				if err != nil {
					return err
				}
				birds.Answer(from.Path, canary.RedirectTo(r.to))
			}
			if r.how == "worker" {
				birds.Answer(own, p.answer("text/javascript", fmt.Sprintf("import %q; postMessage(1)", r.from)))
			}
			requests, all = append(requests, r), append(all, []string{r.how, r.from, r.to, own})
		}
	}
	sent, err := tab.Evaluate(mappingCode(), all)
	if err != nil {
		return err
	}
	for i, url := range sent.([]any) {
		requests[i].sent = url.(string)
	}
	return nil
}

// answer returns a document or script with the page's policy, like a sandbox's own.
func (p *mappingPage) answer(contentType, body string) canary.Answer {
	header := p.header.Clone()
	header.Set("Content-Type", contentType)
	return canary.Answer{Header: header, Body: body}
}
