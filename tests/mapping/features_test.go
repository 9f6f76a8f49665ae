package mapping

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// attempts is a page that tries what a browser denies a sandbox besides requests. It writes
// the result of each attempt.
const attempts = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Attempts</title><body><script>
const turn = () => new Promise((resolve) => setTimeout(resolve, 20))
const link = (attributes, place) => {
	const made = Object.assign(document.createElement('a'), attributes)
	place?.append(made)
	return made
}
const file = () => URL.createObjectURL(new Blob(['x']))
const outcome = async (promise) => { try { await promise; return 'done' } catch (error) { return error.constructor.name } }
const tries = {
	alert: () => alert('asked'),
	'window.open': () => { try { return open('https://window.example/') } catch (error) { return error.name } },
	'_blank link': () => link({ href: 'https://blank.example/', target: '_blank' }, document.body).click(),
	'_blank link that the page handles': () => {
		document.addEventListener('click', (event) => event.preventDefault(), { once: true })
		link({ href: 'https://handled.example/', target: '_blank' }, document.body).click()
	},
	download: () => link({ href: file(), download: 'a.txt' }).click(),
	'download by an event': () => link({ href: file(), download: 'a.txt' }).dispatchEvent(new MouseEvent('click')),
	clipboard: () => outcome(navigator.clipboard.writeText('x')),
	fullscreen: () => outcome(document.body.requestFullscreen()),
	'service worker': () => outcome(navigator.serviceWorker.register('/mine.js')),
	geolocation: () => navigator.geolocation.getCurrentPosition(() => {}, () => {}),
	cookie: () => {
		for (const name of ['a', 'b']) document.cookie = name + '=1'
		document.cookie = 'c=1; Path=/elsewhere'
		return document.cookie.split('; ').sort().join()
	},
	'partitioned cookie': () => {
		document.cookie = 'p=1; SameSite=None; Secure; Partitioned'
		return document.cookie.includes('p=1')
	},
}
const natives = [alert, open, navigator.clipboard.writeText, navigator.serviceWorker.register, EventTarget.prototype.dispatchEvent, Object.getOwnPropertyDescriptor(Document.prototype, 'cookie').set]
;(async () => {
	for (const [name, attempt] of Object.entries(tries)) {
		if (location.search === '?except=' + name) continue
		const got = await attempt()
		await turn()
		console.log('got', name + ':', got)
	}
	console.log('got native:', natives.every((each) => Function.prototype.toString.call(each).includes('[native code]')))
	console.log('end')
})()
</script>`

// refusedLines are lines of the log: what was refused, the grant for it, and the kind of
// reason.
var refusedLines = []string{
	"alert, allow-modals, not-granted",
	"https://window.example/, allow-popups, not-grantable",
	"https://blank.example/, allow-popups, not-grantable",
	"blob, allow-downloads, not-grantable",
	"blob, allow-downloads, not-grantable",
	"navigator.clipboard.writeText, clipboard-write, not-granted",
	"requestFullscreen, fullscreen, not-granted",
	"own /mine.js, service-worker, not-grantable",
	"navigator.geolocation.getCurrentPosition, geolocation, not-granted",
	"document.cookie, cookies, not-grantable",
}

// pageGets returns the results that the page gets, which are the same with and without the
// log, and with and without the grants. No user answers the browser's questions here.
func pageGets(engine string) []string {
	opened, cookies, partitioned := "null", "", engine != "WebKitGTK"
	if engine == "Firefox" {
		opened, cookies = "InvalidAccessError", "a=1,b=1"
	}
	return []string{
		"alert: undefined", "window.open: " + opened, "_blank link: undefined", "_blank link that the page handles: undefined",
		"download: undefined", "download by an event: true", "clipboard: DOMException", "fullscreen: TypeError",
		"service worker: TypeError", "geolocation: undefined", "cookie: " + cookies, fmt.Sprint("partitioned cookie: ", partitioned), "native: true",
	}
}

// A browser denies a sandboxed page some features, usually without telling the page. The log
// has one line for each, with the grant that opens it, or the reason why nothing does. Granted
// features cause no line. Firefox keeps cookies of a framed page.
func TestAttemptsAreTold(t *testing.T) {
	t.Parallel()
	for engine, open := range glass.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			g := glass.Start(t)
			for _, row := range []struct {
				name    string
				spec    server.Spec
				granted bool
			}{
				{"nothing granted", server.Spec{}, false},
				{"granted", server.Spec{Flags: []string{"allow-modals"}, Permissions: []string{"clipboard-write", "fullscreen", "geolocation"}}, true},
			} {
				spec, gets := row.spec, pageGets(engine)
				if row.granted && engine == "WebKitGTK" {
					// The driver closes a dialog with the next command, and no command
					// follows.
					spec.Entry, gets = "/?except=alert", gets[1:]
				}
				spec.Files, spec.Policy, spec.Keep = g.Files(t, map[string]string{"/index.html": attempts, "/mine.js": ""}), glass.Parse(t, glass.AllScripts), true
				sandbox, err := g.Create(spec)
				if err != nil {
					t.Fatal(err)
				}
				open(t, sandbox.HostURL())
				lines, got := attemptsOf(t, sandbox)
				want := slices.DeleteFunc(slices.Clone(refusedLines), func(line string) bool {
					return row.granted && strings.HasSuffix(line, "not-granted") || engine == "Firefox" && strings.HasSuffix(line, "cookies, not-grantable")
				})
				if diff := cmp.Diff(want, lines); diff != "" {
					t.Errorf("%s: the log (-want +got):\n%s", row.name, diff)
				}
				if diff := cmp.Diff(gets, got); diff != "" {
					t.Errorf("%s: what the page gets (-want +got):\n%s", row.name, diff)
				}
			}
		})
	}
}

// attemptsOf returns the log's lines about refused attempts, and the results that the page
// got.
func attemptsOf(t *testing.T, sandbox *server.Sandbox) (lines, got []string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), browser.Patience)
	defer cancel()
	for event, err := range sandbox.Events(ctx, server.EventFilter{}, 0) {
		if err != nil {
			t.Fatalf("the page does not come to its end: %v; it got %q", err, got)
		}
		switch e := event.(type) {
		case protocol.ConsoleEvent:
			if e.Text == "end" {
				return lines, got
			}
			if text, is := strings.CutPrefix(e.Text, "got "); is {
				got = append(got, text)
			}
		case protocol.ErrorEvent:
			t.Fatalf("the page throws %s, after %q", e.Text, got)
		case protocol.ViolationEvent:
			if e.Source == protocol.SourceOuter {
				t.Fatalf("the view has ended: %s, after %q", e.Target, got)
			}
			target := strings.Replace(e.Target, sandbox.URL(), "own ", 1)
			if strings.HasPrefix(target, "blob:") {
				target = "blob"
			}
			lines = append(lines, strings.Join([]string{target, e.Directive, e.Code}, ", "))
		}
	}
	t.Fatal("the events end")
	return nil, nil
}
