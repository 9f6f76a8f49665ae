// Package nocors is a page that loads a list of resources, in each way that needs no
// CORS headers and in those that do, from a server that sends none.
package nocors

import (
	"bytes"
	"context"
	"encoding/binary"
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

// page loads the entries of a list one after another. It writes to its console how each
// ended, and finally that it is done.
const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Loads</title><body><script>
const element = (tag, attributes, event = 'load') => new Promise((resolve) => {
	const made = document.createElement(tag)
	made.addEventListener(event, () => resolve('loaded'))
	made.addEventListener('error', () => resolve('failed'))
	for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
	document.body.append(made)
})
const end = (promise) => promise.then(() => 'loaded', () => 'failed')
const ways = {
	// Not every engine reports a frame that it blocked.
	frame: async (src) => {
		document.body.append(Object.assign(document.createElement('iframe'), { src }))
		return 'loaded'
	},
	image: (src) => element('img', { src }),
	media: (src) => element('audio', { src, preload: 'auto' }, 'loadedmetadata'),
	script: (src) => element('script', { src }),
	style: (href) => element('link', { href, rel: 'stylesheet' }),
	// crossorigin comes first: an engine may start to load as soon as src is set.
	'image with crossorigin': (src) => element('img', { crossorigin: '', src }),
	module: (src) => element('script', { src, type: 'module' }),
	font: (url) => end(new FontFace('any', 'url(' + url + ')').load()),
	fetch: (url) => end(fetch(url)),
	'fetch without CORS': (url) => end(fetch(url, { mode: 'no-cors' })),
}
globalThis.through = (async () => {
	for (const [way, url] of LOADS) console.log('load', way, await ways[way](url))
	console.log('through')
	return true
})()
</script>`

// A Load is one entry of the page's list: a way to load, and a URL.
type Load struct{ Way, URL string }

// Files returns the page with its list, as the only file.
func Files(t *testing.T, loads []Load) map[string]string {
	list := make([][2]string, len(loads))
	for i, l := range loads {
		list[i] = [2]string{l.Way, l.URL}
	}
	return map[string]string{"/index.html": strings.Replace(page, "LOADS", glass.Literal(t, list), 1)}
}

// Outcome waits until the page is done, and until the log has a verdict for each URL
// that the worker sees. It returns how each load ended.
func Outcome(t *testing.T, sandbox *server.Sandbox, seen []string) (ended []string, verdicts map[string]protocol.VerdictEvent) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), browser.Patience)
	defer cancel()
	verdicts = map[string]protocol.VerdictEvent{}
	through := false
	for event, err := range sandbox.Events(ctx, server.EventFilter{}, 0) {
		if err != nil {
			t.Fatalf("%v; so far %q, with verdicts of %d URLs", err, ended, len(verdicts))
		}
		switch e := event.(type) {
		case protocol.ConsoleEvent:
			if line, found := strings.CutPrefix(e.Text, "load "); found {
				ended = append(ended, line)
			}
			through = through || e.Text == "through"
		case protocol.VerdictEvent:
			verdicts[e.URL] = e
		}
		if through && !slices.ContainsFunc(seen, func(url string) bool { _, found := verdicts[url]; return !found }) {
			break
		}
	}
	return ended, verdicts
}

// PlainAnswer is the answer of a server that does not know CORS and sets a cookie.
func PlainAnswer(kind, body string) canary.Answer {
	return canary.Answer{Body: body, Header: http.Header{
		"Content-Type": {kind}, "Set-Cookie": {"plain=1; Path=/", "none=1; Path=/; SameSite=None; Secure"},
		"Access-Control-Allow-Origin": nil, "Cross-Origin-Resource-Policy": nil,
	}}
}

// Answers returns the answers of a plain server, by way of loading.
func Answers(style string) map[string]canary.Answer {
	image := PlainAnswer("image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>`)
	script := PlainAnswer("text/javascript", "globalThis.ran = true")
	return map[string]canary.Answer{
		"image": image, "image with crossorigin": image, "script": script, "module": script,
		"media": PlainAnswer("audio/wav", string(Wave(1, 192_000))), "style": PlainAnswer("text/css", style),
		"font": PlainAnswer("font/woff2", ""), "fetch": PlainAnswer("text/plain", "text"), "fetch without CORS": PlainAnswer("text/plain", "text"),
	}
}

// Wave returns a tone as a WAV file: 16 bits, two channels.
func Wave(seconds, perSecond int) []byte {
	second := make([]byte, perSecond)
	for i := range perSecond / 2 {
		sample := int16(8000)
		if i/100%2 == 1 {
			sample = -sample
		}
		binary.LittleEndian.PutUint16(second[2*i:], uint16(sample))
	}
	size := seconds * perSecond
	b := make([]byte, 0, 44+size)
	for _, field := range []any{
		[]byte("RIFF"), uint32(36 + size), []byte("WAVEfmt "), uint32(16), uint16(1), uint16(2),
		uint32(perSecond / 4), uint32(perSecond), uint16(4), uint16(16), []byte("data"), uint32(size),
	} {
		b, _ = binary.Append(b, binary.LittleEndian, field) // each has a fixed size
	}
	return append(b, bytes.Repeat(second, seconds)...)
}
