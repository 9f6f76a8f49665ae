package execute

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/canary"
	installed "github.com/bellglass/bellglass/tests/internal/chromium"
	"github.com/bellglass/bellglass/tests/internal/command"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// hidingMain makes a request that is blocked, and tries to keep that out of the log. Only the
// worker blocks a POST to the host. The browser blocks requests to other hosts.
const hidingMain = `const post = (url) => fetch(url, { method: 'POST', body: 'x' }).catch(() => {})
const ways = {
	allowed: (url) => fetch(url),
	plain: post,
	async other(url) {
		await fetch('/.bellglass/execution/none/code.js').catch(() => {})
		await post(url)
	},
	async nested(url) {
		const worker = new Worker('/nested.mjs', { type: 'module' })
		worker.postMessage(url)
		await new Promise((resolve) => { worker.onmessage = resolve })
	},
	async reporter(url, other) {
		self.String = () => { throw 0 }
		await fetch(other).catch(() => {})
	},
	async flood(url) {
		await Promise.all(Array.from({ length: 2100 }, () => fetch('/data.json')))
		await post(url)
	},
}
export default async ([way, url, other]) => { await ways[way](url, other) }
`

// Code cannot hide a block from run --fail-on-block.
func TestRunCountsHiddenBlocks(t *testing.T) {
	t.Parallel()
	browser, err := installed.Find()
	if err != nil {
		t.Fatal(err)
	}
	c := canary.Start(t)
	target := c.URL("host", "x.json")
	dir := t.TempDir()
	for name, text := range map[string]string{
		"app/main.mjs":   hidingMain,
		"app/nested.mjs": "onmessage = async ({ data }) => { await fetch(data, { method: 'POST', body: 'x' }).catch(() => {}); postMessage(1) }\n",
		"app/data.json":  "{}",
		"rules.yaml":     fmt.Sprintf("version: 1\ndefault: block\nrules:\n  - id: read\n    allow: %q\n    methods: [GET]\n", target),
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, row := range []struct {
		way    string
		status int
		stderr string
	}{
		{"allowed", 0, ""},
		{"plain", 3, "1 request blocked"},
		{"other", 3, "1 request blocked"},
		{"nested", 3, "1 request blocked"},
		{"reporter", 3, ""},
		{"flood", 3, "1 request blocked"},
	} {
		t.Run(row.way, func(t *testing.T) {
			t.Parallel()
			args := fmt.Sprintf("[%q, %q, %q]", row.way, target, c.URL("other", "x.json"))
			got := command.Run(t, "run", "--browser", browser, "--rules", filepath.Join(dir, "rules.yaml"), "--fail-on-block", "--timeout", "1m", "--args", args, filepath.Join(dir, "app"))
			if got.Status != row.status || !strings.Contains(got.Stderr, row.stderr) {
				t.Errorf("status %d, want %d; standard error, which should have %q:\n%s", got.Status, row.status, row.stderr, got.Stderr)
			}
		})
	}
	t.Cleanup(func() {
		for _, hit := range c.All() {
			if hit.Kind == "http" && (hit.Method != "GET" || hit.Token != "host") {
				t.Errorf("%s %s got out", hit.Method, hit.Path)
			}
		}
		if len(c.Hits("host")) == 0 {
			t.Error("the allowed request did not arrive")
		}
	})
}

// claimingView looks for the frame of executions beside it. It claims what runs there, in each
// way that a page of that origin can.
const claimingView = `const url = new URLSearchParams(location.search).get('url')
const post = async (from, how) => {
	try { await from().fetch(url + '?' + how, { method: 'POST', body: 'x' }) } catch {}
}
const idIn = (frame) => {
	try {
		return frame.performance.getEntriesByType('resource').map(({ name }) => /execution\/([a-z2-7]{26})\//.exec(name)?.[1]).find(Boolean)
	} catch {}
}
const claim = async () => {
	const id = Array.from({ length: parent.length }, (_, i) => idIn(parent[i])).find(Boolean)
	if (id === undefined) return setTimeout(claim, 20)
	const path = '/.bellglass/execution/' + id + '/'
	await fetch(path + 'code.js').catch(() => {})
	await post(() => window, 'fetched')
	const frame = document.createElement('iframe')
	frame.src = path + 'worker.js'
	document.body.append(frame)
	await new Promise((resolve) => { frame.onload = resolve })
	await post(() => frame.contentWindow, 'framed')
	const second = new Worker(path + 'worker.js', { type: 'module' })
	const { port1, port2 } = new MessageChannel()
	second.postMessage(null, [port2])
	const refused = await new Promise((resolve) => { second.onerror = () => resolve(true); port1.onmessage = () => resolve(false) })
	new BroadcastChannel('claimed').postMessage(refused)
}
claim()
`

// A page of the sandbox cannot attribute its requests to an execution.
func TestPageCannotClaimAnExecution(t *testing.T) {
	t.Parallel()
	g := glass.Start(t)
	c := canary.Start(t)
	target := c.URL("host", "x.json")
	sandbox, err := g.Create(server.Spec{
		Entry: "/?url=" + target, Policy: glass.Parse(t, fmt.Sprintf("version: 1\ndefault: block\nrules:\n  - id: read\n    allow: %q\n    methods: [GET]\n", target)),
		Files: g.Files(t, map[string]string{"/index.html": `<!doctype html><body><script src="/view.js" defer></script>`, "/view.js": claimingView}),
	})
	if err != nil {
		t.Fatal(err)
	}
	glass.NewPage(t).Goto(sandbox.HostURL())
	got := execute(t, sandbox, server.Execution{Code: `const claimed = await new Promise((resolve) => { new BroadcastChannel('claimed').onmessage = resolve })
console.log('own')
export default [claimed.data, (await fetch('/view.js')).status]`, Timeout: time.Minute})
	if got.Error != nil || string(got.Result) != "[true,200]" {
		t.Errorf("it gave %s, %+v; a second worker of the execution was not refused", got.Result, got.Error)
	}
	if len(got.Verdicts) != 1 || !strings.HasSuffix(got.Verdicts[0].URL, "/view.js") {
		t.Errorf("its verdicts are %+v", got.Verdicts)
	}
	// The attempt was made, and is attributed to the page.
	for event, err := range sandbox.Events(t.Context(), server.EventFilter{Types: []string{"verdict"}, Actions: []protocol.Action{protocol.ActionBlock}}, 0) {
		if err != nil {
			t.Fatal(err)
		}
		if verdict, is := event.(protocol.VerdictEvent); is {
			if verdict.Execution != "" {
				t.Errorf("%s is attributed to the execution", verdict.URL)
			}
			break
		}
	}
}
