package sandbox

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/rules"
)

func judge(t *testing.T, text string) *firewall.Firewall {
	t.Helper()
	policy, err := rules.Parse("policy.yaml", []byte("version: 1\n"+text))
	if err != nil {
		t.Fatal(err)
	}
	return firewall.New(policy)
}

// A violation says only that the browser's policy forbids something. The verdict says which
// line of the policy caused that, or that a line is missing.
func TestVerdictOf(t *testing.T) {
	closed := judge(t, `rules:
  - id: api
    allow: https://api.example.com
  - id: corp
    block: https://*.corp.example
    reason: company network
  - id: live
    allow: wss://live.example.com
`)
	open := judge(t, "scripts: [inline, eval, wasm, blob]\n")
	block := func(code, reason string) protocol.Verdict {
		return protocol.Verdict{Action: protocol.ActionBlock, Code: code, Reason: reason}
	}
	at := func(r protocol.Verdict, rule string, line int) protocol.Verdict {
		r.Rule, r.File, r.Line = rule, "policy.yaml", line
		return r
	}
	scripts := func(key string) protocol.Verdict {
		return block("scripts", `the policy does not list "`+key+`" under scripts`)
	}
	const now = "allows it now, but the document was loaded under an earlier policy or the page has a stricter one of its own"
	for _, c := range []struct {
		fire              *firewall.Firewall
		target, directive string
		want              protocol.Verdict
	}{
		// Keywords instead of a URL.
		{closed, "inline", "script-src-elem", scripts("inline")},
		{closed, "inline", "script-src-attr", scripts("inline")},
		{closed, "eval", "script-src", scripts("eval")},
		{closed, "wasm-eval", "script-src", scripts("wasm")},
		{closed, "blob", "script-src-elem", scripts("blob")},
		{closed, "blob", "worker-src", scripts("blob")},
		{closed, "blob", "frame-src", scripts("blob")},
		// The policy lists the word, or scripts does not cover the type. So the cause is not a
		// missing word under scripts.
		{open, "inline", "script-src-elem", block("browser", "the browser's policy forbids it (script-src-elem)")},
		{open, "eval", "script-src", block("browser", "the browser's policy forbids it (script-src)")},
		{open, "blob", "worker-src", block("browser", "the browser's policy forbids it (worker-src)")},
		{closed, "inline", "style-src-attr", block("browser", "the browser's policy forbids it (style-src-attr)")},
		{closed, "blob", "img-src", block("browser", "the browser's policy forbids it (img-src)")},
		{closed, "data", "script-src-elem", block("browser", "the browser's policy forbids it (script-src-elem)")},
		{closed, "", "base-uri", block("browser", "the browser's policy forbids it (base-uri)")},
		{closed, "data:text/html,x", "frame-src", block("browser", "the browser's policy forbids it (frame-src)")},
		{closed, "https://%zz/", "img-src", block("browser", "the browser's policy forbids it (img-src)")},

		// A URL that a rule blocks, with the rule's file and line.
		{closed, "https://x.corp.example/a", "img-src", at(block("rule", "company network"), "corp", 5)},
		// URLs that no rule allows.
		{closed, "https://example.net/", "connect-src", at(block("default", "no rule allows it"), "", 0)},
		{closed, "https://live.example.com/", "connect-src", at(block("default", "no rule allows it"), "", 0)},
		{closed, "https://api.example.com/", "frame-src", at(block("default", "no rule allows it"), "", 0)},
		{closed, "http://192.168.0.1/", "img-src", at(block("private-address", "a private or loopback address, and no rule names it"), "", 0)},
		{closed, "https://api.example.com/", "object-src", at(block("unsupported-type", "no rule can allow this type of request"), "", 0)},
		{closed, "https://u@api.example.com/", "img-src", at(block("noncanonical", "the URL holds a user name or password"), "", 0)},
		{nil, "https://example.net/", "img-src", block("no-program", "there is no policy, so everything is blocked")},
		// URLs that a rule allows now.
		{closed, "https://api.example.com/", "img-src", block("browser", "rule api "+now)},
		{closed, "wss://live.example.com/", "connect-src", block("browser", "rule live "+now)},
	} {
		if diff := cmp.Diff(c.want, verdictOf(c.fire, c.target, c.directive)); diff != "" {
			t.Errorf("%q by %s (-want +got):\n%s", c.target, c.directive, diff)
		}
	}
	for keyword, script := range scriptsKey {
		if got := verdictOf(closed, keyword, "script-src"); !strings.Contains(got.Reason, `"`+string(script)+`"`) {
			t.Errorf("%s has the reason %q", keyword, got.Reason)
		}
	}
	if len(scriptsKey) != len(rules.Scripts) {
		t.Errorf("%d keywords for %d words under scripts", len(scriptsKey), len(rules.Scripts))
	}
}

func TestClip(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{strings.Repeat("a", MaxText), strings.Repeat("a", MaxText)},
		{strings.Repeat("a", MaxText+1), strings.Repeat("a", MaxText) + "…"},
		{strings.Repeat("a", MaxText-1) + "é", strings.Repeat("a", MaxText-1) + "…"},
		{strings.Repeat("a", MaxText-2) + "éé", strings.Repeat("a", MaxText-2) + "é…"},
		{strings.Repeat("a", MaxText-3) + "\U0001F302b", strings.Repeat("a", MaxText-3) + "…"},
		{strings.Repeat("é", MaxText), strings.Repeat("é", MaxText/2) + "…"},
		{"a" + strings.Repeat("\U0001F302", MaxText), "a" + strings.Repeat("\U0001F302", MaxText/4-1) + "…"},
	} {
		got := clip(c.text)
		if got != c.want || !utf8.ValidString(got) || len(got) > MaxText+len("…") {
			t.Errorf("%d bytes of %.12q… are cut to %d bytes that end in %q, want %d", len(c.text), c.text, len(got), got[max(0, len(got)-12):], len(c.want))
		}
	}
}

// recorded runs a function on a new sandbox and returns the events that it adds.
func recorded(t *testing.T, record func(*Sandbox)) []map[string]any {
	t.Helper()
	sb := mustCreate(t, newTestRegistry(t, Config{}))
	before, _, _ := sb.log.after(0)
	record(sb)
	entries, _, _ := sb.log.after(int64(len(before)))
	var events []map[string]any
	for _, e := range entries {
		var event map[string]any
		if err := json.Unmarshal(e.JSON, &event); err != nil {
			t.Fatal(err)
		}
		events = append(events, event)
	}
	return events
}

func TestRecordVerdict(t *testing.T) {
	for action, want := range map[protocol.Action]string{protocol.ActionAllow: "allow", protocol.ActionBlock: "block", "": "block", "ALLOW": "block", "allowed": "block"} {
		events := recorded(t, func(sb *Sandbox) {
			sb.RecordVerdict(protocol.VerdictEvent{
				Head: protocol.Head{Time: time.Unix(0, 0), Revision: 7}, Method: "GET", URL: "https://example.com/" + strings.Repeat("é", MaxText), Destination: "image", Virtual: true, Status: 200,
				Verdict: protocol.Verdict{Action: action, Rule: "api", Code: "rule", Reason: "because", File: "policy.yaml", Line: 3},
			}, rules.TypeImage)
		})
		if len(events) != 1 {
			t.Fatalf("action %q makes %d events", action, len(events))
		}
		got := events[0]
		at, err := time.Parse(time.RFC3339Nano, got["time"].(string))
		if err != nil || at.Equal(time.Unix(0, 0)) {
			t.Errorf("the time is the worker's, %v, not the server's (%v)", got["time"], err)
		}
		if url := got["url"].(string); !strings.HasSuffix(url, "é…") || len(url) > MaxText+3 {
			t.Errorf("the URL has %d bytes and ends in %q", len(url), url[len(url)-8:])
		}
		delete(got, "time")
		delete(got, "url")
		if diff := cmp.Diff(map[string]any{
			"type": "verdict", "id": 2.0, "revision": 7.0, "source": "worker", "method": "GET", "destination": "image", "virtual": true, "status": 200.0,
			"action": want, "rule": "api", "code": "rule", "reason": "because", "file": "policy.yaml", "line": 3.0,
		}, got); diff != "" {
			t.Errorf("action %q (-want +got):\n%s", action, diff)
		}
	}
}

func TestRecordDropped(t *testing.T) {
	for count, want := range map[int]int{-1: 0, 0: 0, 1: 1, 40: 1} {
		events := recorded(t, func(sb *Sandbox) { sb.RecordDropped(count, protocol.SourcePage) })
		if len(events) != want {
			t.Errorf("%d dropped make %d events, want %d", count, len(events), want)
		}
		for _, event := range events {
			if event["step"] != "dropped" || event["source"] != "page" || !strings.HasPrefix(event["text"].(string), jsonText(t, count)+" events were dropped") {
				t.Errorf("%d dropped events are reported as %v", count, event)
			}
		}
	}
}

func jsonText(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// A report of the outer frame is recorded as a navigation. A page's report is marked as the
// page's word. All texts are bounded.
func TestRecordReports(t *testing.T) {
	long := strings.Repeat("x", MaxText+1)
	events := recorded(t, func(sb *Sandbox) {
		sb.recordViolation(protocol.ViolationReport{Target: "https://example.net/" + long, Directive: "img-src", Place: protocol.Place{URL: long, Line: 4}}, protocol.SourcePage, reporter{})
		sb.recordViolation(protocol.ViolationReport{Target: "https://example.net/", Directive: "frame-src"}, protocol.SourceOuter, reporter{})
		sb.recordConsole(protocol.ConsoleReport{Level: protocol.LevelWarn, Text: long, Place: protocol.Place{URL: long}}, reporter{})
		sb.recordError(protocol.ErrorReport{Text: long, Stack: long, Place: protocol.Place{URL: long}}, reporter{})
	})
	type row struct{ Type, Source, Action, Code, Reason string }
	var got []row
	for _, event := range events {
		text := func(name string) string { s, _ := event[name].(string); return s }
		got = append(got, row{text("type"), text("source"), text("action"), text("code"), text("reason")})
		if size := len(jsonText(t, event)); size > 4*MaxText {
			t.Errorf("a %s event has %d bytes", event["type"], size)
		}
		for _, name := range []string{"target", "text", "stack"} {
			if s := text(name); len(s) > MaxText && !strings.HasSuffix(s, "…") {
				t.Errorf("the %s of a %s event has %d bytes", name, event["type"], len(s))
			}
		}
	}
	want := []row{
		{"violation", "page", "block", "no-program", got[0].Reason},
		{"violation", "outer", "block", "navigation", "a sandbox cannot navigate to another origin"},
		{"console", "page", "", "", ""},
		{"error", "page", "", "", ""},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
