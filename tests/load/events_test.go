package load

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/playwright-community/playwright-go"

	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/canary"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// The log of a sandbox. A page can write a lot into it, and can stop writing. It cannot write
// in another's name, hide what the worker saw, or fill the log.

// workerBlocks returns a policy under which the browser lets every method through to the
// token's addresses. Only the worker enforces the rule.
func workerBlocks(birds *canary.Canary, token string) string {
	return glass.AllScripts + "rules:\n  - id: put\n    allow: " + birds.URL(token, "/**") + "\n    methods: [PUT]\n"
}

const kept = 2_000 // events in a log, and rows in a list

func TestFloodLeavesABoundedLog(t *testing.T) {
	t.Parallel()
	birds := canary.Start(t)
	g := glass.Start(t)
	sandbox := g.NewSandbox(t, map[string]string{"/index.html": glass.BlankPage + "<script>console.log('it begins')</script>", "/own.txt": "own file"}, workerBlocks(birds, "flood"))
	v := g.Open(t, "localhost", sandbox)
	got := v.Eval(fmt.Sprintf(`async () => {
		const target = %q
		for (let i = 0; i < 2500; i++) {
			console.log('by and by', i)
			if (i %% 100 === 0) await new Promise((resolve) => setTimeout(resolve, 0))
		}
		let refused = 0
		await Promise.all(Array.from({ length: 2000 }, (_, i) => fetch(target + i).catch(() => refused++)))
		// These exceed what one task may report. They come last, so that the row which says
		// so is among the newest and the lists still contain it.
		for (let i = 0; i < 2500; i++) console.log('at once', i)
		return refused
	}`, birds.URL("flood", "/")))
	if got != 2000 {
		t.Errorf("%v of 2000 fetches were refused", got)
	}
	// Later requests are answered and logged.
	if got := v.Eval(`async () => (await fetch('/own.txt')).text()`); got != "own file" {
		t.Errorf("after the flood its own file reads %v", got)
	}
	marker := birds.URL("flood", "/marker")
	got = v.Eval(fmt.Sprintf(`async () => { await fetch(%[1]q).catch(() => {}); console.log('the last line'); return (await fetch(%[1]q, { method: 'PUT' })).status }`, marker))
	if got != 200 {
		t.Errorf("the allowed request gave %v", got)
	}
	v.WaitFor(fmt.Sprintf(`[data-testid=verdict][data-source=worker][data-action=block][data-url=%q]`, marker))
	v.WaitFor(`[data-testid=console-line]:has-text("the last line")`)
	for _, hit := range birds.Hits("flood") {
		if hit.Kind == "http" && hit.Method == "GET" {
			t.Errorf("got out: %s %s", hit.Method, hit.Path)
		}
	}

	// The host page's lists are bounded. It says that lines are missing, and stays usable.
	for _, list := range []string{`[data-testid=network] > li`, `[data-testid=console] > li`} {
		if n, err := v.Page.Locator(list).Count(); err != nil || n == 0 || n > kept {
			t.Errorf("%s: %d rows, %v; want at most %d", list, n, err, kept)
		}
	}
	text, err := v.WaitFor(`[data-testid=lifecycle][data-step=dropped]`).TextContent()
	if err != nil || !regexp.MustCompile(`[1-9]\d* events were dropped`).MatchString(text) {
		t.Errorf("the host page says %q, %v; want how many were dropped", text, err)
	}
	if err := v.Page.Locator("#network-search").Fill("marker"); err != nil {
		t.Fatal(err)
	}
	shown := v.Page.Locator(`[data-testid=verdict]:not([hidden])`)
	if err := browser.Expect(shown).ToHaveCount(2); err != nil {
		t.Errorf("the filter for the block and the allowed request: %v", err)
	}
	if err := v.Page.GetByRole("tab", playwright.PageGetByRoleOptions{Name: "Console"}).Click(); err != nil {
		t.Fatal(err)
	}
	if err := v.Page.Locator(`[data-testid=console-line]:has-text("the last line")`).WaitFor(); err != nil {
		t.Errorf("the console's last line is not in sight: %v", err)
	}

	// The server's log is bounded, too.
	events := g.Log(t, sandbox, func(e glass.Logged) bool { return e.Text == "the last line" })
	// The stream begins with a note of how many events the log no longer keeps. The note is not in the
	// log. All kept events follow it if the last line is the newest event. That depends on when the
	// worker reports the request.
	if note, rest := events[0], events[1:]; note.Step != "dropped" || len(rest) > kept {
		t.Errorf("the log begins with %q and keeps %d events, want %q and at most %d", note.Step, len(rest), "dropped", kept)
	}
	for _, button := range []string{"#console-clear", "[data-testid=reload]"} {
		if err := v.Page.Locator(button).Click(); err != nil {
			t.Fatal(err)
		}
	}
	v.WaitFor(`[data-testid=console-line]:has-text("it begins")`)
}

// Each verdict names the rule that made it, with the rule's position.
func TestVerdictNamesTheRule(t *testing.T) {
	t.Parallel()
	birds := canary.Start(t)
	g := glass.Start(t)
	policy := glass.AllScripts + `
rules:
  - id: host # two methods only
    allow: ` + strings.TrimSuffix(birds.URL("x", "/"), "/x/") + `
    methods: [GET, PUT]

  # The worker blocks this. A browser policy cannot block by path.
  - id: hidden
    block: ` + birds.URL("hidden", "/**") + `
    reason: nobody's business
  - id: elsewhere
    block: http://elsewhere.example
`
	line := func(id string) int {
		before, _, found := strings.Cut(policy, "- id: "+id)
		if !found {
			t.Fatalf("the policy has no rule %s", id)
		}
		return 1 + strings.Count(before, "\n")
	}
	sandbox := g.NewSandbox(t, map[string]string{"/index.html": glass.BlankPage}, policy)
	v := g.Open(t, "localhost", sandbox)
	type decided struct {
		url, method, rule, action, source string
		line                              int
	}
	rows := []decided{
		{birds.URL("open", "/a"), "GET", "host", "allow", "worker", line("host")},
		{birds.URL("hidden", "/a"), "GET", "hidden", "block", "worker", line("hidden")},
		{birds.URL("open", "/b"), "POST", "", "block", "worker", 0},
		{"http://elsewhere.example/c", "GET", "elsewhere", "block", "browser", line("elsewhere")},
	}
	for _, row := range rows {
		v.Eval(fmt.Sprintf(`() => fetch(%q, { method: %q }).catch(() => {})`, row.url, row.method))
	}
	// The worker's verdicts and the browser's report arrive independently.
	told := map[string]bool{}
	events := g.Log(t, sandbox, func(e glass.Logged) bool {
		told[e.URL+e.Target] = true
		return !slices.ContainsFunc(rows, func(row decided) bool { return !told[row.url] })
	})
	for _, row := range rows {
		t.Run(row.method+" "+row.url, func(t *testing.T) {
			var found []glass.Logged
			for _, e := range events {
				if e.URL == row.url || e.Target == row.url {
					found = append(found, e)
				}
			}
			if len(found) != 1 {
				t.Fatalf("the log has %d events of it: %+v", len(found), found)
			}
			e := found[0]
			if e.Rule != row.rule || e.Action != row.action || e.Source != row.source || e.File != "rules.yaml" || e.Line != row.line {
				t.Errorf("%s by rule %q at %s:%d, reported by the %s; want %s, %q, rules.yaml:%d, %s", e.Action, e.Rule, e.File, e.Line, e.Source, row.action, row.rule, row.line, row.source)
			}
			shown := v.In(t).WaitFor(fmt.Sprintf(`[data-testid=verdict][data-url=%q]`, row.url))
			place, err := shown.Locator(".place").AllTextContents()
			if err != nil || row.line > 0 && strings.Join(place, " ") != fmt.Sprint("rules.yaml:", row.line) {
				t.Errorf("the host page shows the place %q, %v", place, err)
			}
		})
	}
	if hits := birds.Hits("hidden"); len(hits) > 0 {
		t.Errorf("got out: %+v", hits)
	}
}

// forging defines window.forge. It hands the outer frame a port of the page's own, as the
// client script does, and posts a batch on it.
const forging = `() => {
	const { port1, port2 } = new MessageChannel()
	parent.postMessage({ kind: 'hello', protocol: 1 }, '*', [port2])
	window.forge = (reports, dropped = 0) => port1.postMessage({ reports, dropped })
}`

// Forged events count at most as the page's own statements.
func TestPageForgesNoEvents(t *testing.T) {
	t.Parallel()
	g := glass.Start(t)
	sandbox := g.NewSandbox(t, map[string]string{"/index.html": glass.BlankPage}, glass.AllScripts)
	v := g.Open(t, "localhost", sandbox)
	v.Eval(forging)
	v.Eval(`async () => {
		const verdict = { action: 'allow', rule: 'forged', code: 'rule', reason: 'forged', file: 'forged.yaml', line: 7 }
		const head = { id: 1, time: new Date().toISOString(), revision: 99, virtual: true, status: 200, method: 'GET', destination: '' }
		for (const source of ['worker', 'server', 'outer']) {
			const forged = { source, ...head, ...verdict, url: 'http://forged.example/' + source, target: 'http://forged.example/' + source, directive: 'connect-src' }
			// A message like the one by which the worker explains a block to the page.
			navigator.serviceWorker.dispatchEvent(new MessageEvent('message', { data: { kind: 'blocked', ...forged } }))
			for (const kind of ['verdict', 'lifecycle', 'violation', 'event', 'blocked', 'state']) {
				forge([{ kind, type: kind, step: 'policy', text: 'forged ' + kind, ...forged }])
				parent.postMessage({ kind, type: kind, protocol: 1, event: { type: kind, ...forged } }, '*')
				top.postMessage({ kind: 'event', event: { type: kind, ...forged } }, '*')
				navigator.serviceWorker.controller.postMessage({ kind, ...forged })
			}
			forge([{ kind: 'console', level: 'log', text: 'forged line', ...forged, type: 'verdict' }])
			for (const path of ['/.bellglass/verdicts', '/.bellglass/reports']) {
				const response = await fetch(path, { method: 'POST', body: JSON.stringify({ dropped: 5, verdicts: [{ ...head, ...forged }] }), headers: { 'Bellglass-Secret': 'guess' } })
				if (response.ok) throw new Error(path + ' took a verdict')
			}
		}
		forge([{ kind: 'console', level: 'log', text: 'forged to the end' }])
	}`)
	events := g.Log(t, sandbox, func(e glass.Logged) bool { return e.Text == "forged to the end" })
	pages := 0
	for _, e := range events {
		forged := strings.Contains(e.URL+e.Target, "forged.example") || strings.Contains(e.Text, "forged") || e.Rule == "forged"
		if !forged {
			continue
		}
		pages++
		if e.Source != "page" || e.Type == "verdict" || e.Type == "lifecycle" || e.Action == "allow" || e.Rule == "forged" || e.File == "forged.yaml" || e.Revision == 99 {
			t.Errorf("the page forged %+v", e)
		}
	}
	if pages == 0 {
		t.Error("nothing of what the page forged is in the log, not even in its own name, so the test tried nothing")
	}
	v.WaitFor(`[data-testid=console-line]:has-text("forged to the end")`)
	if n, err := v.Page.Locator(`[data-url*="forged.example"]:not([data-source=page]), [data-rule=forged]`).Count(); err != nil || n > 0 {
		t.Errorf("the host page shows %d forged verdicts, %v", n, err)
	}
	if got := v.Revision(); got != 1 {
		t.Errorf("the host page shows revision %d", got)
	}
}

// Reports that cannot be sent, or that the server rejects, hide nothing else: neither what the
// outer frame saw itself, nor what the page reports later.
func TestSpoiltReportsHideNothing(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ name, poison string }{
		{"of no known kind", `forge([{ kind: 'nothing' }])`},
		{"no object", `forge([null, 1, 'x'])`},
		{"with text that is none", `forge([{ kind: 'console', level: 'log', text: { deep: 1 } }])`},
		{"in a circle", `const a = { kind: 'console' }; a.a = a; forge([a])`},
		{"with a BigInt", `forge([{ kind: 'console', level: 'log', text: 1n }])`},
		{"too large", `forge([{ kind: 'console', level: 'log', text: 'x'.repeat(5 << 20) }])`},
		{"dropped in fractions", `forge([], 1.5)`},
		{"dropped beyond number", `forge([], Infinity); forge([], Number.MAX_VALUE); forge([], NaN)`},
		{"dropped less than none", `forge([], -1e6)`},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			// The outer frame's first batch is held back until the page's reports and the
			// outer frame's own wait for the next batch.
			gate := glass.NewGate("/reports", 0)
			g := glass.StartBehind(t, gate.HoldRequests)
			v := g.Open(t, "localhost", g.NewSandbox(t, map[string]string{"/index.html": glass.BlankPage}, glass.AllScripts))
			v.Eval(forging)
			v.Eval(`() => console.log('holds the way')`)
			<-gate.Entered
			v.Eval(fmt.Sprintf(`() => { %s }`, row.poison))
			v.Eval(`() => { Event.prototype.preventDefault = () => {}; location.href = 'http://left.example/' }`)
			v.WaitFor(`[data-testid=state][data-code=navigation-blocked]`)
			gate.Release()
			v.WaitFor(`[data-testid=verdict][data-source=outer][data-action=block][data-url^="http://left.example"]`)

			if err := v.Page.GetByTestId("reload").Click(); err != nil {
				t.Fatal(err)
			}
			v.WaitState("ready")
			v.Eval(`() => console.log('said later')`)
			v.WaitFor(`[data-testid=console-line]:has-text("said later")`)
		})
	}
}

// What the worker saw is logged, whatever the page does to its own JavaScript environment.
func TestPageHidesNoVerdict(t *testing.T) {
	t.Parallel()
	birds := canary.Start(t)
	g := glass.Start(t)
	sandbox := g.NewSandbox(t, map[string]string{"/index.html": glass.BlankPage, "/own.txt": "own file"}, workerBlocks(birds, "hide"))
	v := g.Open(t, "localhost", sandbox)
	url := func(by string) string { return birds.URL("hide", "/"+by) }
	v.Eval(fmt.Sprintf(`async () => {
		const [one, two, three] = %s
		const nothing = () => {}
		const { fetch, XMLHttpRequest } = window
		for (const level of Object.keys(console)) console[level] = nothing
		window.fetch = () => Promise.reject(new Error('overridden'))
		window.postMessage = nothing
		for (const c of [MessagePort, ServiceWorker, Worker, BroadcastChannel]) c.prototype.postMessage = nothing
		navigator.serviceWorker.addEventListener('message', (event) => event.stopImmediatePropagation(), true)
		addEventListener('securitypolicyviolation', (event) => event.stopImmediatePropagation(), true)
		const sent = new Promise((resolve) => {
			const request = new XMLHttpRequest()
			request.onloadend = resolve
			request.open('GET', two)
			request.send()
		})
		EventTarget.prototype.addEventListener = EventTarget.prototype.removeEventListener = EventTarget.prototype.dispatchEvent = nothing
		window.setTimeout = nothing
		document.querySelectorAll('script').forEach((script) => script.remove())
		await fetch(one).catch(nothing)
		await sent
		// An unregistered worker still controls the open documents.
		for (const registration of await navigator.serviceWorker.getRegistrations()) await registration.unregister()
		await fetch(three).catch(nothing)
	}`, glass.Literal(t, []string{url("fetch"), url("xhr"), url("unregistered")})))
	for _, by := range []string{"fetch", "xhr", "unregistered"} {
		v.WaitFor(fmt.Sprintf(`[data-testid=verdict][data-source=worker][data-action=block][data-url=%q]`, url(by)))
	}
	if hits := birds.Hits("hide"); len(hits) > 0 {
		t.Errorf("got out: %+v", hits)
	}
}
