package mapping

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/canary"
	"github.com/bellglass/bellglass/tests/internal/glass"
	"github.com/bellglass/bellglass/tests/internal/repository"
)

// realmsFiles is a page that makes every kind of realm and does the same in each. The realm
// writes a line, requests a host that the policy lacks and one that it allows, and throws an
// error. When all realms are done, the document does the same again.
//
// Each realm also tries to impersonate the browser, by sending what only a browser can report.
func realmsFiles(inner, allowed string) map[string]string {
	return map[string]string{
		"/act.js": fmt.Sprintf(`globalThis.act = async (realm, tell) => {
	console.log('said in <' + realm + '>')
	const report = JSON.stringify({ 'csp-report': { 'blocked-uri': 'http://forged.example/', 'effective-directive': 'connect-src' } })
	const type = 'application/csp-report'
	for (const mode of ['no-cors', 'cors', 'same-origin']) {
		for (const init of [{ body: new Blob([report], { type }) }, { body: report, headers: { 'Content-Type': type, 'Sec-Fetch-Dest': 'report' } }]) {
			try { await fetch(%[1]q, { method: 'POST', mode, ...init }) } catch {}
		}
	}
	try { navigator.sendBeacon(%[1]q, new Blob([report], { type })) } catch {}
	await Promise.allSettled([fetch('http://refused.example/' + realm), fetch(%[2]q + realm)])
	setTimeout(() => { throw new Error('thrown in <' + realm + '>') })
	setTimeout(() => tell(realm), 1)
}`, inner+"/.bellglass/report", allowed),
		"/frame.html": `<!doctype html><html lang="en"><meta charset="utf-8"><title>Frame</title><script src="/act.js"></script><script>act('frame', (realm) => parent.postMessage(realm, '*'))</script>`,
		"/worker.js":  `importScripts('/act.js'); act('worker', (realm) => postMessage(realm))`,
		"/module.js":  `import '/act.js'; act('module worker', (realm) => postMessage(realm))`,
		"/parent.js":  `new Worker('/nested.js').onmessage = ({ data }) => postMessage(data)`,
		"/nested.js":  `importScripts('/act.js'); act('nested worker', (realm) => postMessage(realm))`,
		"/shared.js":  `importScripts('/act.js'); onconnect = ({ ports: [port] }) => act('shared worker', (realm) => port.postMessage(realm))`,
		"/index.html": `<!doctype html><html lang="en"><meta charset="utf-8"><title>Realms</title><script src="/act.js"></script><body><script>
const inFrame = (realm) => '(' + act + ')("' + realm + '", (realm) => parent.postMessage(realm, "*"))'
const page = (realm) => '<!doctype html><script>' + inFrame(realm) + '</' + 'script>'
const blob = (text, type) => URL.createObjectURL(new Blob([text], { type }))
const frame = (attributes) => {
	const made = document.createElement('iframe')
	for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
	document.body.append(made)
	return made
}
const acted = new Set()
const told = (realm) => {
	if (realm in realms && acted.add(realm).size === Object.keys(realms).length) act('end', () => {})
}
addEventListener('message', ({ data }) => told(data))
const listen = (port) => { port.onmessage = ({ data }) => told(data) }
// Firefox 153 stops about one in a hundred workers that start a worker, on a busy machine: nothing
// follows that call. Another worker takes the place of such a one.
const startParent = () => {
	const worker = new Worker('/parent.js')
	listen(worker)
	if (navigator.userAgent.includes('Firefox')) setTimeout(() => {
		if (acted.has('nested worker')) return
		worker.terminate()
		startParent()
	}, 30_000)
}
const realms = {
	'document': () => act('document', told),
	'frame': () => frame({ src: '/frame.html' }),
	'srcdoc frame': () => frame({ srcdoc: page('srcdoc frame') }),
	'sandboxed srcdoc frame': () => frame({ srcdoc: page('sandboxed srcdoc frame'), sandbox: 'allow-scripts' }),
	'blob frame': () => frame({ src: blob(page('blob frame'), 'text/html') }),
	'blank frame': () => frame({}).contentWindow.eval(inFrame('blank frame')),
	'worker': () => listen(new Worker('/worker.js')),
	'module worker': () => listen(new Worker('/module.js', { type: 'module' })),
	'nested worker': startParent,
	'blob worker': () => listen(new Worker(blob('(' + act + ')("blob worker", (realm) => postMessage(realm))', 'text/javascript'))),
	'shared worker': () => listen(new SharedWorker('/shared.js').port),
}
for (const make of Object.values(realms)) make()
</script>`,
	}
}

// signs are what the log can have of a realm, in the order of the table's columns.
var signs = []string{"verdict", "violation", "console", "error"}

// realmsTable reads the table of docs/events.md. It returns, for each realm and sign, whether
// the engine's log has it.
func realmsTable(t *testing.T, engine string) map[string]map[string]bool {
	t.Helper()
	_, table, found := strings.Cut(string(repository.Read(t, "docs/events.md")), "| realm | "+strings.Join(signs, " | ")+" |\n|---|---|---|---|---|\n")
	if !found {
		t.Fatal("docs/events.md has no table of the realms")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	rows := map[string]map[string]bool{}
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 1+len(signs) {
			t.Fatalf("the row %q has %d cells", line, len(cells))
		}
		row := map[string]bool{}
		for i, sign := range signs {
			switch cell := strings.TrimSpace(cells[i+1]); cell {
			case "seen":
				row[sign] = true
			case "unseen":
				row[sign] = false
			default:
				row[sign] = slices.Contains(strings.Split(cell, ", "), engine)
			}
		}
		rows[strings.TrimSpace(cells[0])] = row
	}
	return rows
}

// A sign that the table calls seen is in the log once. A sign that it calls unseen is not.
func TestRealmsAreSeen(t *testing.T) {
	t.Parallel()
	for engine, open := range glass.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			want := realmsTable(t, engine)
			want["end"] = want["document"]
			birds := canary.Start(t)
			g := glass.Start(t)
			allowed := birds.URL("realm", "/")
			sandbox := g.NewSandbox(t, nil, glass.AllScripts+"rules:\n  - id: birds\n    allow: "+allowed+"**\n")
			if _, err := sandbox.SetFiles(g.Files(t, realmsFiles(sandbox.URL(), allowed))); err != nil {
				t.Fatal(err)
			}
			open(t, sandbox.HostURL())
			got := seenOf(t, engine, sandbox, want)
			for _, realm := range slices.Sorted(maps.Keys(want)) {
				for _, sign := range signs {
					n := got[realm+" "+sign]
					if want[realm][sign] != (n == 1) || n > 1 {
						t.Errorf("%s, %s: %d events, and the table says %v", realm, sign, n, want[realm][sign])
					}
				}
			}
			for _, realm := range slices.Sorted(maps.Keys(want)) {
				path := strings.TrimPrefix(allowed, fmt.Sprintf("http://127.0.0.1:%d", birds.Port())) + strings.ReplaceAll(realm, " ", "%20")
				if !slices.ContainsFunc(birds.Hits("realm"), func(h canary.Hit) bool { return h.Kind == "http" && strings.HasSuffix(h.Path, path) }) {
					t.Errorf("%s asked for nothing at %s, so it tried nothing", realm, path)
				}
			}
		})
	}
}

// seenOf counts each sign of each realm in the log, until all expected signs are there.
func seenOf(t *testing.T, engine string, sandbox *server.Sandbox, want map[string]map[string]bool) map[string]int {
	ctx, cancel := context.WithTimeout(t.Context(), browser.Patience)
	defer cancel()
	missing := map[string]bool{}
	for realm, row := range want {
		for sign, is := range row {
			if is {
				missing[realm+" "+sign] = true
			}
		}
	}
	got := map[string]int{}
	for event, err := range sandbox.Events(ctx, server.EventFilter{}, 0) {
		if err != nil {
			t.Errorf("%d do not come, such as %q", len(missing), slices.Sorted(maps.Keys(missing)))
			break
		}
		kind, says := "", ""
		switch e := event.(type) {
		case protocol.VerdictEvent:
			if e.Virtual {
				continue
			}
			kind, says = "verdict", e.URL
		case protocol.ViolationEvent:
			kind, says = "violation", e.Target
			source := protocol.SourceBrowser
			if engine == "WebKitGTK" {
				source = protocol.SourcePage // fetch can send what the browser would send there
			} else if strings.Contains(e.Target, "forged") {
				t.Errorf("code passes for the browser: %+v", e)
			}
			if e.Source != source {
				t.Errorf("the %s tells of %s, not the %s", e.Source, e.Target, source)
			}
		case protocol.ConsoleEvent:
			kind, says = "console", e.Text
		case protocol.ErrorEvent:
			kind, says = "error", e.Text
		}
		for realm := range want {
			if says == "" || !strings.HasSuffix(says, "/"+strings.ReplaceAll(realm, " ", "%20")) && !strings.Contains(says, "<"+realm+">") {
				continue
			}
			got[realm+" "+kind]++
			delete(missing, realm+" "+kind)
		}
		if len(missing) == 0 {
			break
		}
	}
	return got
}
