package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/mcpapps"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/canary"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// refusedApp makes each of a list of requests, and forges what the host is told about blocks.
const refusedApp = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Refused</title><body><script>
const element = (tag, attributes) => document.body.append(Object.assign(document.createElement(tag), attributes))
const ways = {
	fetch: (url) => fetch(url).catch(() => {}),
	post: (url) => fetch(url, { method: 'POST' }).catch(() => {}),
	image: (src) => element('img', { src }),
	script: (src) => element('script', { src }),
	frame: (src) => element('iframe', { src }),
}
for (const [way, url] of REQUESTS) ways[way](url)
for (const target of [parent, top]) {
	target.postMessage({ type: 'mcp-apps:csp-violation', directive: 'img-src', blockedUri: 'forged', source: 'browser' }, '*')
	target.postMessage({ type: 'mcp-apps:csp-violation', jsonrpc: '2.0', method: 'forged', blockedUri: 'forged' }, '*')
}
parent.postMessage({ type: 'mcp-apps:other', blockedUri: 'control' }, '*')
</script>`

// A violation is what a host is told about a block.
type violation struct {
	Type, Directive, BlockedURI, EffectiveDirective, OriginalPolicy, Disposition, Source, Reason, Advice string

	SourceFile               *string
	LineNumber, ColumnNumber *int
	Timestamp                float64
	Change                   map[string][]string
}

// A host is told of each blocked request of an app, whether the worker or the browser blocked
// it. It also gets the change of the declaration that would allow the request. With these
// changes the same requests arrive. The host does not receive what the app itself says about
// blocks.
func TestMCPAppViolations(t *testing.T) {
	t.Parallel()
	// The app declares 127.0.0.1. The operator allows only GET requests to it, and has rules
	// about localhost.
	rows := []struct{ way, host, directive, field string }{
		{"fetch", "localhost", "connect-src", "connectDomains"},
		{"image", "localhost", "img-src", "resourceDomains"},
		{"script", "localhost", "script-src", "resourceDomains"},
		{"frame", "localhost", "frame-src", "frameDomains"},
		{"post", "127.0.0.1", "connect-src", ""},
		{"fetch", "other.localhost", "connect-src", ""},
	}
	for engine, open := range allEngines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			birds := canary.Start(t)
			g, host := startMCPHost(t, func(c *server.Config) {
				c.MCPApps = operatorsRules(fmt.Sprintf("rules:\n  - {allow: [http://127.0.0.1:%[1]d, https://127.0.0.1:%[1]d], methods: [GET]}\n  - allow: [http://localhost:%[1]d, https://localhost:%[1]d]\n  - {allow: [http://localhost:%[1]d, https://localhost:%[1]d], types: [frame]}\n", birds.Port()))
			})
			token := func(app string, row int) string { return fmt.Sprintf("%s-%d", app, row) }
			app := func(name string) string {
				var requests [][2]string
				for i, row := range rows {
					requests = append(requests, [2]string{row.way, birds.URLAt(row.host, token(name, i), "x")})
				}
				return glass.Literal(t, strings.Replace(refusedApp, "REQUESTS", glass.Literal(t, requests), 1))
			}
			var got struct {
				Violations []violation
				Others     []string
			}
			page := open(t, host)
			declared := fmt.Sprintf(`{"connectDomains":["http://127.0.0.1:%d"]}`, birds.Port())
			page.Eval(t, fmt.Sprintf(`(async () => {
				const violation = ({ type }) => type === 'mcp-apps:csp-violation'
				await mount('a', %[1]q, %[2]q)
				run('a', { html: %[3]s })
				await heard('a', ({ type }) => type === 'mcp-apps:other')
				const { log } = frames.get('a')
				await heard('a', () => new Set(log.filter(violation).map(({ directive, blockedUri }) => directive + blockedUri)).size >= %[4]d)
				return { violations: log.filter(violation), others: log.filter((message) => !violation(message)).map(({ type, method }) => type ?? method) }
			})()`, proxyOrigin(g), declared, app("a"), len(rows)), &got)

			if want := "ui/notifications/sandbox-proxy-ready notifications/message mcp-apps:other"; strings.Join(got.Others, " ") != want {
				t.Errorf("beside violations the host hears %q, want %q", got.Others, want)
			}
			if slices.ContainsFunc(got.Violations, func(v violation) bool { return v.BlockedURI == "forged" }) {
				t.Error("the host hears a violation that the app forged")
			}
			changed := map[string][]string{"connectDomains": {fmt.Sprintf("http://127.0.0.1:%d", birds.Port())}}
			for i, row := range rows {
				url, origin := birds.URLAt(row.host, token("a", i), "x"), fmt.Sprintf("http://%s:%d", row.host, birds.Port())
				at := slices.IndexFunc(got.Violations, func(v violation) bool {
					// For a frame, Chromium reports only the origin.
					return v.BlockedURI == url || row.way == "frame" && v.BlockedURI == origin
				})
				if at < 0 {
					t.Errorf("%s: the host hears nothing of %s: %+v", row.way, url, got.Violations)
					continue
				}
				v := got.Violations[at]
				if v.Directive != v.EffectiveDirective || strings.TrimSuffix(v.Directive, "-elem") != row.directive || v.Disposition != "enforce" || v.Timestamp <= 0 || v.Reason == "" ||
					!strings.Contains(v.OriginalPolicy, "connect-src http://127.0.0.1:") || !slices.Contains(sourcesIn(engine, row.way), v.Source) {
					t.Errorf("%s: the host hears %+v", row.way, v)
				}
				if (v.LineNumber == nil) != (v.SourceFile == nil) || v.LineNumber != nil && *v.LineNumber < 1 {
					t.Errorf("%s: the place is %v %v %v", row.way, v.SourceFile, v.LineNumber, v.ColumnNumber)
				}
				want := map[string][]string{}
				if row.field != "" {
					want = map[string][]string{row.field: {origin}}
					if !slices.Contains(changed[row.field], origin) {
						changed[row.field] = append(changed[row.field], origin)
					}
				}
				if fmt.Sprint(v.Change) != fmt.Sprint(want) || strings.Contains(v.Advice, "no change") != (row.field == "") {
					t.Errorf("%s: the change is %v, want %v; %s", row.way, v.Change, want, v.Advice)
				}
			}
			if t.Failed() {
				return
			}

			// With the changes the requests arrive, except those that the operator forbids.
			page.Eval(t, fmt.Sprintf(`(async () => {
				await mount('b', %[1]q, %[2]s)
				run('b', { html: %[3]s })
				return heard('b', ({ type }) => type === 'mcp-apps:other')
			})()`, proxyOrigin(g), glass.Literal(t, glass.Literal(t, changed)), app("b")), new(any))
			ctx, cancel := context.WithTimeout(t.Context(), browser.Patience)
			defer cancel()
			for i, row := range rows {
				if row.field == "" {
					continue
				}
				if _, err := birds.Wait(ctx, token("b", i)); err != nil {
					t.Errorf("%s: with the changes nothing arrives: %v", row.way, err)
				}
			}
			for i, row := range rows {
				hits := birds.Hits(token("a", i))
				if row.field == "" {
					hits = append(hits, birds.Hits(token("b", i))...)
				}
				if len(hits) > 0 {
					t.Errorf("%s: got out: %+v", row.way, hits)
				}
			}
		})
	}
}

// sourcesIn returns the sources from which the report of a block may come. In WebKit, the
// browser's reports cannot be told from the page's. The page's report waits for the browser's,
// but a slow browser reports later.
func sourcesIn(engine, way string) []string {
	switch {
	case way == "post" && glass.WorkerlessEngines[engine] == nil:
		return []string{"worker"}
	case engine == "WebKitGTK":
		return []string{"page"}
	}
	return []string{"browser", "page"}
}

// The policy of an app keeps a worker from reporting anything to the server. The worker does
// not report these failures, either, or it would do so endlessly.
func TestWorkersThatCannotReport(t *testing.T) {
	t.Parallel()
	for engine, open := range glass.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			g := glass.Start(t)
			compiled, err := mcpapps.Compile(mcpapps.CSP{}, mcpapps.Options{})
			if err != nil {
				t.Fatal(err)
			}
			files := g.Files(t, map[string]string{
				"/index.html": `<!doctype html><title>App</title><script>new Worker('/worker.js').onmessage = () => console.log('through')</script>`,
				"/worker.js": `(async () => {
	for (let i = 0; i < 50; i++) {
		console.log('line', i)
		await fetch('/' + i).catch(() => {})
		await new Promise((resolve) => setTimeout(resolve))
	}
	postMessage('through')
})()`,
			})
			sandbox, err := g.Create(server.Spec{Files: files, Policy: compiled.Policy, Baseline: compiled.Baseline()})
			if err != nil {
				t.Fatal(err)
			}
			open(t, sandbox.HostURL())
			ctx, cancel := context.WithTimeout(t.Context(), browser.Patience)
			defer cancel()
			told := 0
			for event, err := range sandbox.Events(ctx, server.EventFilter{}, 0) {
				if err != nil {
					t.Fatal(err)
				}
				if v, is := event.(protocol.ViolationEvent); is && strings.HasSuffix(v.Target, protocol.RealmPath) {
					told++
				}
				if line, is := event.(protocol.ConsoleEvent); is && line.Text == "through" {
					break
				}
			}
			// Firefox reports a block some time after the request has failed.
			if told > 5 {
				t.Errorf("the log has %d violations for the worker's own reports", told)
			}
		})
	}
}
