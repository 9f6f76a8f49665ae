package server

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/sandbox"
)

// post sends a body to a path that accepts JSON, with the headers of a permitted caller.
func post(s *Server, sandbox *Sandbox, path string, body []byte) response {
	r := httptest.NewRequest("POST", path, strings.NewReader(string(body)))
	r.Header.Set("Sec-Fetch-Dest", "empty")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.Header.Set(protocol.SecretHeader, sandbox.secret)
	return serveOn(s, r)
}

// eventsAfter returns the decoded events after the one with the id last. It checks what holds
// for each: it has a bounded size and is one line.
func eventsAfter(t *testing.T, sandbox *Sandbox, last int64) (events []map[string]any) {
	t.Helper()
	kept := logged(sandbox, last)
	for _, e := range kept {
		const most = 16 * 6 * maxText // each byte of a text may be escaped as six, \u0000
		if len(e.JSON) > most || strings.ContainsAny(string(e.JSON), "\r\n") {
			t.Errorf("an event of %d bytes: %.300q", len(e.JSON), e.JSON)
		}
		var event map[string]any
		if err := json.Unmarshal(e.JSON, &event); err != nil {
			t.Fatalf("an event is no JSON: %v: %.300q", err, e.JSON)
		}
		events = append(events, event)
	}
	return events
}

// newest returns the id of the newest event.
func newest(sandbox *Sandbox) (id int64) {
	for {
		events := logged(sandbox, id)
		if len(events) == 0 {
			return id
		}
		id = events[len(events)-1].ID
	}
}

// Verdicts of the worker become events with the worker as their source, and nothing else does.
func FuzzVerdicts(f *testing.F) {
	s, sandbox := unlimited(f)
	for _, seed := range []string{
		`{"dropped":0,"verdicts":[]}`, `{"dropped":3,"verdicts":[{"method":"GET","url":"https://a.example/","destination":"script","virtual":false,"status":200,"revision":1,"action":"allow","rule":"a","code":"rule","reason":"b","file":"rules.yaml","line":3}]}`,
		`{"verdicts":[{"action":"nonsense","url":"\u0000\ud800"},{"revision":-1,"status":99999999}]}`, `{"dropped":-1}`, `{"dropped":1e400}`, `[]`, `null`, ``, `{`, `{"verdicts":{}}`, `{"verdicts":[null]}`, "\xff",
		`{"dropped":9223372036854775807}`, `{"verdicts":[{"time":"x"}]}`, `{"VERDICTS":[{}]}`, strings.Repeat(`{"verdicts":[`, 20),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		before := newest(sandbox)
		got := post(s, sandbox, sandbox.URL()+protocol.VerdictsPath, body)
		checkResponse(t, got)
		if got.status == 204 && !json.Valid(body) {
			t.Errorf("%q is accepted and no JSON", body)
		}
		events := eventsAfter(t, sandbox, before)
		if got.status != 204 && len(events) > 0 {
			t.Errorf("%q is refused, %d, and in the log: %v", body, got.status, events)
		}
		for _, event := range events {
			if event["source"] != "worker" || event["type"] != "verdict" && event["step"] != "dropped" {
				t.Errorf("%q makes the event %v", body, event)
			}
			if event["type"] == "verdict" && event["action"] != "allow" && event["action"] != "block" {
				t.Errorf("%q makes the verdict %v", body, event)
			}
		}
	})
}

// The reports in a batch of the outer frame are the page's word, except for navigations.
func FuzzReports(f *testing.F) {
	levels := sandbox.EventWords("level")
	s, sandbox := unlimited(f)
	// After Flush, no report of the page waits for the browser's. Otherwise it would enter the
	// log while a later input runs.
	s.registry.Flush()
	for _, seed := range []string{
		`{"dropped":0,"page":[],"outer":[]}`,
		`{"dropped":2,"page":[{"kind":"console","level":"log","text":"a","url":"b","line":1,"col":2},{"kind":"error","text":"a","stack":"b"},{"kind":"violation","target":"https://a.example/","directive":"img-src"}],"outer":[]}`,
		`{"outer":[{"kind":"violation","target":"https://a.example/","directive":"frame-src"}]}`,
		`{"page":[{"kind":"verdict","type":"verdict","source":"worker"},{"kind":"console","level":"verdict"},{"kind":"lifecycle"},null,1,"x",[],{}]}`,
		`{"page":[{"kind":"console","level":"log","text":"\u0000\u2028\ud800\r\ndata: {}\n\n"}]}`, `{"page":[{"kind":"console","level":"log","line":1.5}]}`,
		`{"page":[{"kind":"violation","target":"inline","directive":"script-src-elem"},{"kind":"violation","target":"http://[::1","directive":""}]}`,
		`{"page":{}}`, `{"page":[{"level":"log","text":"of no kind"},{"Kind":"console","level":"log"},{"target":"a"}]}`, `{"outer":[{}]}`, `{"outer":[{"kind":"console"}]}`, `null`, ``, `[`, "\xff", `{"dropped":-5}`, `{"dropped":9223372036854775807,"page":[1]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		before := newest(sandbox)
		got := post(s, sandbox, sandbox.OuterURL()+"/reports?token="+sandbox.token, body)
		checkResponse(t, got)
		if got.status == 204 && !json.Valid(body) {
			t.Errorf("%q is accepted and no JSON", body)
		}
		events := eventsAfter(t, sandbox, before)
		if got.status != 204 && len(events) > 0 {
			t.Errorf("%q is refused, %d, and in the log: %v", body, got.status, events)
		}
		said := kinds(body)
		for _, event := range events {
			kind := event["type"]
			if said[kind]--; event["source"] == "page" && kind != "lifecycle" && said[kind] < 0 {
				t.Errorf("%q has no report for the event %v", body, event)
			}
			switch {
			case event["source"] == "page" && (kind == "console" || kind == "error" || kind == "violation" || event["step"] == "dropped"):
			case event["source"] == "outer" && kind == "violation" && event["code"] == "navigation":
			default:
				t.Errorf("%q makes the event %v", body, event)
			}
			if kind == "console" && !slices.Contains(levels, fmt.Sprint(event["level"])) {
				t.Errorf("%q makes a console line of the level %v", body, event["level"])
			}
			if kind == "violation" && event["action"] != "block" {
				t.Errorf("%q makes the violation %v", body, event)
			}
		}
	})
}

// kinds counts the page's reports by the kind that they claim.
func kinds(body []byte) map[any]int {
	var batch struct{ Page []json.RawMessage }
	said := map[any]int{}
	if json.Unmarshal(body, &batch) != nil {
		return said
	}
	for _, raw := range batch.Page {
		var of struct{ Kind string }
		if json.Unmarshal(raw, &of) == nil {
			said[of.Kind]++
		}
	}
	return said
}
