package tests

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/canary"
)

// loadsPage loads each of a list, one after the other, and says in its console how each
// ended and that it is through.
const loadsPage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Loads</title><body><script>
const element = (tag, attributes, event = 'load') => new Promise((resolve) => {
	const made = document.createElement(tag)
	made.addEventListener(event, () => resolve('loaded'))
	made.addEventListener('error', () => resolve('failed'))
	for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
	document.body.append(made)
})
const end = (promise) => promise.then(() => 'loaded', () => 'failed')
const ways = {
	// Not every engine tells of a frame that was refused.
	frame: async (src) => {
		document.body.append(Object.assign(document.createElement('iframe'), { src }))
		return 'loaded'
	},
	image: (src) => element('img', { src }),
	media: (src) => element('audio', { src, preload: 'auto' }, 'loadedmetadata'),
	script: (src) => element('script', { src }),
	style: (href) => element('link', { href, rel: 'stylesheet' }),
	// crossorigin comes first: an engine may begin at once with what src names.
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

// A load is one line of the page's list.
type load struct{ way, url string }

// loadsFile is the page with its list, as the only file.
func loadsFile(t *testing.T, loads []load) map[string]string {
	list := make([][2]string, len(loads))
	for i, l := range loads {
		list[i] = [2]string{l.way, l.url}
	}
	return map[string]string{"/index.html": strings.Replace(loadsPage, "LOADS", literal(t, list), 1)}
}

// loadsOutcome waits until the page is through, and until the log has a verdict of
// each URL that the worker sees. It returns how each load ended.
func loadsOutcome(t *testing.T, sandbox *server.Sandbox, seen []string) (ended []string, verdicts map[string]protocol.VerdictEvent) {
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

// plainAnswer is that of a server which knows nothing of CORS and sets a cookie.
func plainAnswer(kind, body string) canary.Answer {
	return canary.Answer{Body: body, Header: http.Header{
		"Content-Type": {kind}, "Set-Cookie": {"plain=1; Path=/", "none=1; Path=/; SameSite=None; Secure"},
		"Access-Control-Allow-Origin": nil, "Cross-Origin-Resource-Policy": nil,
	}}
}

// bodiesOf are what the plain server answers, by way.
func bodiesOf(style string) map[string]canary.Answer {
	image := plainAnswer("image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>`)
	script := plainAnswer("text/javascript", "globalThis.ran = true")
	return map[string]canary.Answer{
		"image": image, "image with crossorigin": image, "script": script, "module": script,
		"media": plainAnswer("audio/wav", string(wave(1, 192_000))), "style": plainAnswer("text/css", style),
		"font": plainAnswer("font/woff2", ""), "fetch": plainAnswer("text/plain", "text"), "fetch without CORS": plainAnswer("text/plain", "text"),
	}
}

// What a page shows or runs without reading it loads from an allowed host that sends no
// CORS headers, as in any page; without cookies, without Referer, and under the same
// rules. What reads an answer fails, as in any page.
func TestLoadsWithoutCORS(t *testing.T) {
	t.Parallel()
	opaque := map[string][]string{
		"Chromium":  {"image", "media", "script", "style"},
		"Firefox":   {"image", "media", "script", "style"},
		"WebKitGTK": {"image", "media", "script"},
	}
	for engine, open := range engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			birds := canary.Start(t)
			posted, styled := birds.URL("posted", "x.png"), birds.URL("plain", "styled.png")
			var loads []load
			var seen, want []string
			for _, way := range []string{"image", "media", "script", "style", "image with crossorigin", "module", "font", "fetch", "fetch without CORS"} {
				path := strings.ReplaceAll(way, " ", "-")
				birds.Answer("/plain/"+path, bodiesOf(fmt.Sprintf("html { background: url(%q) } body { background: url(%q) }", posted, styled))[way])
				l := load{way, birds.URL("plain", path)}
				loads = append(loads, l)
				if engine != "Firefox" || way != "media" { // which never comes to the worker there
					seen = append(seen, l.url)
				}
				outcome := way + " failed"
				if slices.Contains(opaque[engine], way) {
					outcome = way + " loaded"
				}
				want = append(want, outcome)
			}
			if slices.Contains(opaque[engine], "style") {
				seen = append(seen, posted, styled)
			}
			g := startGlass(t)
			sandbox := g.sandbox(t, loadsFile(t, loads), fmt.Sprintf("%srules:\n  - {id: plain, allow: %s}\n  - {id: posted, allow: %s, methods: [POST]}\n", allScripts, birds.URL("plain", "**"), posted))

			// The host's own page comes first: it gets a cookie, and its image has that and a Referer.
			image := plainAnswer("image/svg+xml", "")
			birds.Answer("/control/x.svg", image)
			birds.Answer("/control/page", plainAnswer("text/html", fmt.Sprintf(`<!doctype html><title>Control</title><img src="x.svg" onload="go()" onerror="go()"><script>const go = () => location.replace(%q)</script>`, sandbox.HostURL())))
			open(t, birds.URL("control", "page"))

			ended, verdicts := loadsOutcome(t, sandbox, seen)
			if got, want := strings.Join(ended, "\n"), strings.Join(want, "\n"); got != want {
				t.Errorf("the loads end with\n%s\nwant\n%s", got, want)
			}
			for _, l := range loads {
				v, found := verdicts[l.url]
				isOpaque := slices.Contains(opaque[engine], l.way)
				switch {
				case !slices.Contains(seen, l.url):
					if found {
						t.Errorf("%s: the worker sees it now: %+v", l.way, v)
					}
				case v.Action != protocol.ActionAllow || v.Opaque != isOpaque || v.Status != 0 || v.Failed() == isOpaque:
					t.Errorf("%s: the verdict is %+v", l.way, v)
				}
			}
			if v := verdicts[posted]; slices.Contains(seen, posted) && v.Action != protocol.ActionBlock {
				t.Errorf("what an opaque style sheet asks for is judged %+v", v)
			}
			if hits := birds.Hits("posted"); len(hits) > 0 {
				t.Errorf("a rule for POST let this through: %+v", hits)
			}
			if slices.Contains(seen, styled) && !slices.ContainsFunc(birds.Hits("plain"), func(h canary.Hit) bool { return h.Path == "/plain/styled.png" }) {
				t.Error("nothing arrives of what a style sheet may ask for")
			}
			control := birds.Hits("control")
			if last := control[len(control)-1]; !strings.Contains(last.Header.Get("Cookie"), "plain=1") || last.Header.Get("Referer") == "" {
				t.Errorf("the host's own page sends the cookie %q and the referrer %q", last.Header.Get("Cookie"), last.Header.Get("Referer"))
			}
			for _, hit := range birds.Hits("plain") {
				if strings.HasSuffix(hit.Path, "/media") && engine == "Firefox" {
					continue // past the worker
				}
				if hit.Header.Get("Cookie") != "" || hit.Header.Get("Referer") != "" {
					t.Errorf("%s has the cookie %q and the referrer %q", hit.Path, hit.Header.Get("Cookie"), hit.Header.Get("Referer"))
				}
			}
		})
	}
}

// Where such a load is redirected to: nowhere with Connection-Allowlist; else to any path
// of a host that the policy opens, and to no other host.
func TestRedirectsOfLoadsWithoutCORS(t *testing.T) {
	t.Parallel()
	ways := []string{"image", "media", "script", "style"}
	followed := map[string][]string{
		"Firefox":   {"image", "media", "script", "style"},
		"WebKitGTK": {"image", "media", "script"},
	}
	for engine, open := range engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			birds := canary.Start(t)
			var loads []load
			for _, way := range ways {
				for _, url := range []string{birds.URLAt("localhost", "away-"+way, "x"), birds.URL("path-"+way, "x")} {
					loads = append(loads, load{way, birds.Redirect("open", url)})
				}
				birds.Answer("/open/"+way, bodiesOf("")[way])
				loads = append(loads, load{way, birds.URL("open", way)})
			}
			files := loadsFile(t, loads)
			arrived := func(token string) int { return len(birds.Hits(token)) }

			// Undefended, each redirect is followed.
			birds.Answer("/bare/page", canary.Answer{Header: http.Header{"Content-Type": {"text/html"}}, Body: files["/index.html"]})
			var through bool
			open(t, birds.URL("bare", "page")).Eval(t, `through`, &through)
			bare := map[string]int{}
			for _, way := range ways {
				for _, token := range []string{"away-" + way, "path-" + way} {
					if bare[token] = arrived(token); bare[token] == 0 {
						t.Errorf("%s: nothing arrives undefended, so the row proves nothing", token)
					}
				}
			}
			asked := arrived("open")

			g := startGlass(t)
			sandbox := g.sandbox(t, files, fmt.Sprintf("%srules:\n  - {id: open, allow: %s}\n", allScripts, birds.URL("open", "**")))
			open(t, sandbox.HostURL())
			loadsOutcome(t, sandbox, nil)
			for _, way := range ways {
				if away := "away-" + way; arrived(away) > bare[away] {
					t.Errorf("%s: a redirect leads to a host that is not allowed: %+v", way, birds.Hits(away))
				}
				path := "path-" + way
				if led := arrived(path) > bare[path]; led != slices.Contains(followed[engine], way) {
					t.Errorf("%s: a redirect leads to another path: %v", way, led)
				}
			}
			if got := arrived("open") - asked; got < len(loads) {
				t.Errorf("of %d loads %d were asked for", len(loads), got)
			}
		})
	}
}
