package server

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/protocol"
)

// report posts to the sandbox's endpoint for browser reports.
func (s *Server) report(sandbox *Sandbox, body string, header map[string]string) int {
	r := httptest.NewRequest("POST", sandbox.URL()+protocol.ReportPath, strings.NewReader(body))
	for name, value := range header {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Code
}

func cspReportOf(target string) string {
	return `{"csp-report":{"document-uri":"about","blocked-uri":"` + target + `","effective-directive":"connect-src","violated-directive":"connect-src 'self'","line-number":3,"column-number":4,"source-file":"http://a.example/b.js"}}`
}

// violationsOf lists the violations in a sandbox's log, as source and target.
func violationsOf(sandbox *Sandbox) []string {
	var seen []string
	for id := int64(0); ; {
		events := logged(sandbox, id)
		if len(events) == 0 {
			return seen
		}
		for _, e := range events {
			id = e.ID
			switch e := e.Event().(type) {
			case protocol.ViolationEvent:
				seen = append(seen, string(e.Source)+" "+e.Target)
			case protocol.LifecycleEvent:
				if e.Step == protocol.StepDropped {
					seen = append(seen, string(e.Source)+" "+e.Text)
				}
			}
		}
	}
}

var chromiumReport = map[string]string{"Sec-Fetch-Dest": "report", "Sec-Fetch-Mode": "no-cors", "Content-Type": "application/csp-report"}

// A report counts as the browser's only if no code can have sent it.
func TestBrowserReportsAreTheBrowsers(t *testing.T) {
	s, sandbox := newTestServer(t)
	for _, row := range []struct {
		name   string
		change map[string]string
		source string // "" if it is refused
	}{
		{"Chromium's", map[string]string{"Sec-Fetch-Site": "same-origin"}, "browser"},
		{"Firefox's", map[string]string{"Origin": sandbox.URL()}, "browser"},
		{"WebKit's", map[string]string{"Sec-Fetch-Dest": "empty", "Origin": "null"}, "page"},
		{"of an opaque origin", map[string]string{"Origin": "null", "Sec-Fetch-Site": "cross-site"}, "browser"},
		{"fetch", map[string]string{"Sec-Fetch-Dest": "empty", "Sec-Fetch-Mode": "cors"}, ""},
		{"fetch of the same origin", map[string]string{"Sec-Fetch-Dest": "empty", "Sec-Fetch-Mode": "same-origin"}, ""},
		{"beacon", map[string]string{"Sec-Fetch-Dest": "empty", "Content-Type": "text/plain"}, ""},
		{"form", map[string]string{"Sec-Fetch-Dest": "iframe", "Sec-Fetch-Mode": "navigate", "Content-Type": "text/plain"}, ""},
		{"script", map[string]string{"Sec-Fetch-Dest": "script"}, ""},
		{"page of another origin", map[string]string{"Origin": "http://evil.example"}, ""},
		{"page of another sandbox", map[string]string{"Origin": strings.Replace(sandbox.URL(), sandbox.ID(), "a", 1)}, ""},
		{"no browser", map[string]string{"Sec-Fetch-Dest": ""}, ""},
	} {
		header := map[string]string{}
		for name, value := range chromiumReport {
			header[name] = value
		}
		for name, value := range row.change {
			if header[name] = value; value == "" {
				delete(header, name)
			}
		}
		target := "http://" + strings.ReplaceAll(row.name, " ", "-") + ".example/"
		code, want := s.report(sandbox, cspReportOf(target), header), http.StatusNoContent
		if row.source == "" {
			want = http.StatusForbidden
		}
		if code != want {
			t.Errorf("%s is answered %d, want %d", row.name, code, want)
		}
		i := slices.IndexFunc(violationsOf(sandbox), func(v string) bool { return strings.HasSuffix(v, target) })
		if row.source == "" && i >= 0 || row.source != "" && (i < 0 || violationsOf(sandbox)[i] != row.source+" "+target) {
			t.Errorf("%s: the log has %q", row.name, violationsOf(sandbox))
		}
	}
}

// A flood of reports is bounded and counted. Code that floods the log with its own reports
// hides none of the browser's.
func TestFloodedBrowserReportsAreCounted(t *testing.T) {
	inBubble(t, Config{Limits: Limits{Reports: Rate{PerSecond: 1, Burst: 3}}}, 1, func(t *testing.T, s *Server, sandboxes []*Sandbox) {
		sandbox := sandboxes[0]
		for sandbox.reports.Allow() {
		}
		refused := 0
		for range 5 {
			if s.report(sandbox, cspReportOf("http://a.example/"), chromiumReport) == http.StatusTooManyRequests {
				refused++
			}
		}
		if s.report(sandbox, "{", chromiumReport) < 400 {
			t.Error("an invalid report is accepted")
		}
		pass(tallyTime)
		want := []string{"browser http://a.example/", "browser http://a.example/", "browser http://a.example/", "browser 3 events were dropped: there were too many at once"}
		if got := violationsOf(sandbox); strings.Join(got, "\n") != strings.Join(want, "\n") || refused != 2 {
			t.Errorf("%d are refused, and the log has %q", refused, got)
		}
	})
}
