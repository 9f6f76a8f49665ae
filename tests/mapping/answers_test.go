package mapping

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
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// A page of a sandbox gets the response of an allowed host without the headers that give the
// browser instructions.
func TestAnswersLoseHeaders(t *testing.T) {
	t.Parallel()
	for engine, open := range glass.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			birds := canary.Start(t)
			url := birds.URL("open", "x")
			birds.Answer("/open/x", canary.Answer{Body: "x", Header: http.Header{
				"Access-Control-Expose-Headers": {"*"}, "Link": {fmt.Sprintf("<%s>; rel=preload; as=image", birds.URL("linked", "x"))}, "Sourcemap": {"x.map"}, "X-Own": {"own"},
			}})
			check := func(where, names string, dropped bool) {
				t.Helper()
				got := strings.Fields(names)
				if slices.Contains(got, "link") == dropped || slices.Contains(got, "sourcemap") == dropped || !slices.Contains(got, "x-own") {
					t.Errorf("%s the page gets the headers %q", where, got)
				}
			}
			const page = `<!doctype html><meta charset="utf-8"><title>Answers</title><script>globalThis.names = fetch(%q).then(({ headers }) => {
				const all = [...headers.keys()].join(' ')
				console.log('headers', all)
				return all
			})</script>`
			html := fmt.Sprintf(page, url)
			birds.Answer("/bare/page", canary.Answer{Header: http.Header{"Content-Type": {"text/html"}}, Body: html})
			var names string
			open(t, birds.URL("bare", "page")).Eval(t, `names`, &names)
			check("undefended", names, false)

			sandbox := glass.Start(t).NewSandbox(t, map[string]string{"/index.html": html}, fmt.Sprintf("%srules: [{allow: %q}]\n", glass.AllScripts, url))
			host := open(t, sandbox.HostURL())
			ctx, cancel := context.WithTimeout(t.Context(), browser.Patience)
			defer cancel()
			var seen []any
			for event, err := range sandbox.Events(ctx, server.EventFilter{}, 0) {
				if err != nil {
					var shown string
					host.Eval(t, `document.body.innerText`, &shown)
					t.Fatalf("%v; the log has %+v, and the host page shows %q", err, seen, shown)
				}
				seen = append(seen, event)
				if line, is := event.(protocol.ConsoleEvent); is && strings.HasPrefix(line.Text, "headers ") {
					check("in a sandbox", line.Text, true)
					break
				}
			}
		})
	}
}
