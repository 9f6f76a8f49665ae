package sw_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bellglass/bellglass/protocol"
)

// A document that was begun before the sandbox's app arrived continues with the app, or ends
// empty. It reloads itself if no app arrives, and if the sandbox has changed again. Each document
// begins in the same way.
func TestBegunDocuments(t *testing.T) {
	const file = `{"path":"/index.html","hash":"a","size":18,"type":"text/html; charset=utf-8"}`
	const app = "<!DOCTYPE html>app"
	state := func(revision, continues int, waits bool, files, contents string) []byte {
		sent := `{"kept":[],"sent":[]}`
		if contents != "" {
			sent = `{"kept":[],"sent":[0]}`
		}
		return responseOf(fmt.Sprintf(`{"protocol":%d,"revision":%d,"policy":"p","headers":{"X":"y"},"client":"<script>","waits":%v,"continues":%d,"files":[%s]}`, protocol.Version, revision, waits, continues, files), sent, contents)
	}
	for _, row := range []struct {
		name  string
		state []byte
		rest  string
	}{
		{"the app", state(2, 2, false, file, app), "app"},
		{"an app that needs other headers", state(2, 0, false, file, app), ""},
		{"a revision after the app's", state(3, 2, false, file, app), `<meta http-equiv="refresh" content="0">`},
		{"no app yet", state(1, 0, true, "", ""), `<meta http-equiv="refresh" content="0">`},
		{"a revision without a page", state(3, 2, false, "", ""), `<meta http-equiv="refresh" content="0">`},
	} {
		t.Run(row.name, func(t *testing.T) {
			course := strings.Replace(statesHost, "refusal: {}", "refusal: {}, policy: 'p', client: 'f()</script>'", 1) + `void (async () => {
	const { states, wake } = await open()
	const { virtual } = await import('../sw/src/virtual')
	await wake()
	await reply('state', response('waiting', lasting))
	const event = { request: { mode: 'navigate', method: 'GET', url: 'http://sandbox.test/', destination: 'iframe', headers: new Headers() }, clientId: '', handled: Promise.resolve(), waitUntil: (until: Promise<unknown>) => void until }
	const document = await virtual(event as unknown as FetchEvent, new URL(event.request.url))
	const late = Date.now() + 61_000 // the time after which the worker does not ask again
	Date.now = () => late
	await reply('state?have=1&told=2&newer', response('next', 0))
	got.push(document.headers.get('X'), await document.text())
	finish()
})()
`
			var got []string
			runNode(t, course, map[string][]byte{"waiting": state(1, 0, true, "", ""), "next": row.state}, &got)
			want := []string{"y", `<!doctype html><script>f()</script>` + row.rest}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
