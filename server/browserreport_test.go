package server

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/bellglass/bellglass/protocol"
)

// report posts to the sandbox's endpoint for the browser's reports.
func (s *Server) report(sandbox *Sandbox, body string, header map[string]string) int {
	r := httptest.NewRequest("POST", sandbox.origin+protocol.ReportPath, strings.NewReader(body))
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

// violations are the violations in a sandbox's log, as source and target.
func violationsOf(sandbox *Sandbox) []string {
	var seen []string
	for id := int64(0); ; {
		events, _, _ := sandbox.log.after(id)
		if len(events) == 0 {
			return seen
		}
		for _, e := range events {
			id = e.id
			switch e := e.event().(type) {
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

// A report is the browser's word only if no code can have sent it.
func TestBrowserReportsAreTheBrowsers(t *testing.T) {
	s, sandbox := newTestServer(t)
	for _, row := range []struct {
		name   string
		change map[string]string
		source string // "" if it is refused
	}{
		{"Chromium's", map[string]string{"Sec-Fetch-Site": "same-origin"}, "browser"},
		{"Firefox's", map[string]string{"Origin": sandbox.origin}, "browser"},
		{"WebKit's", map[string]string{"Sec-Fetch-Dest": "empty", "Origin": "null"}, "page"},
		{"of an opaque origin", map[string]string{"Origin": "null", "Sec-Fetch-Site": "cross-site"}, "browser"},
		{"fetch", map[string]string{"Sec-Fetch-Dest": "empty", "Sec-Fetch-Mode": "cors"}, ""},
		{"fetch of the same origin", map[string]string{"Sec-Fetch-Dest": "empty", "Sec-Fetch-Mode": "same-origin"}, ""},
		{"beacon", map[string]string{"Sec-Fetch-Dest": "empty", "Content-Type": "text/plain"}, ""},
		{"form", map[string]string{"Sec-Fetch-Dest": "iframe", "Sec-Fetch-Mode": "navigate", "Content-Type": "text/plain"}, ""},
		{"script", map[string]string{"Sec-Fetch-Dest": "script"}, ""},
		{"page of another origin", map[string]string{"Origin": "http://evil.example"}, ""},
		{"page of another sandbox", map[string]string{"Origin": strings.Replace(sandbox.origin, sandbox.id, "a", 1)}, ""},
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

// What the browser and the page both tell is one event, and it is the browser's.
func TestRefusalsAreToldOnce(t *testing.T) {
	for _, row := range []struct{ name, told, want string }{
		{"browser first", "browser page", "browser"},
		{"page first", "page browser", "browser"},
		{"browser alone", "browser", "browser"},
		{"page alone", "page wait", "page"},
		{"browser late", "page wait browser", "page browser"},
		{"twice each", "page page browser browser", "browser browser"},
		{"page oftener", "browser page page wait", "browser page"},
		{"browser oftener", "page browser browser", "browser browser"},
		{"much later", "browser forget page wait", "browser page"},
		{"in an execution", "execution browser", "page"},
		{"of an execution, by the browser first", "browser execution", "browser"},
		{"in an execution, and by hand", "execution browser browser", "page browser"},
		{"the allowlist's", "allowlist allowlist", "page page"},
		{"page, and removed", "page remove wait", "page"},
		{"page, and the server has ended", "page end", "page"},
	} {
		t.Run(row.name, func(t *testing.T) {
			inBubble(t, Config{}, 1, func(t *testing.T, s *Server, sandboxes []*Sandbox) {
				sandbox := sandboxes[0]
				x := &execution{id: "x"}
				executed := 0
				for word := range strings.FieldsSeq(row.told) {
					r := protocol.ViolationReport{Target: "http://a.example/", Directive: "connect-src"}
					switch word {
					case "browser":
						sandbox.recordReportedViolation(protocol.SourceBrowser, r)
					case "page":
						sandbox.recordPageViolation(r, nil)
					case "allowlist":
						r.Directive = allowlistDirective
						sandbox.recordPageViolation(r, nil)
					case "execution":
						sandbox.recordPageViolation(r, x)
						executed++
					case "remove":
						s.Remove(sandbox.ID())
					case "end":
						s.tellRest()
					case "wait":
						pass(confirmTime)
					case "forget":
						pass(rememberTime)
					}
				}
				var got []string
				for _, v := range violationsOf(sandbox) {
					source, _, _ := strings.Cut(v, " ")
					got = append(got, source)
				}
				if strings.Join(got, " ") != row.want {
					t.Errorf("the log has %q, want %q", got, row.want)
				}
				if n := len(x.seen.violations); n != executed || n > 0 && x.seen.violations[0].Execution != "x" {
					t.Errorf("the execution has seen %+v", x.seen.violations)
				}
				pass(rememberTime)
				if sandbox.refusals.count != 0 || len(sandbox.refusals.mentions) != 0 {
					t.Errorf("%d refusals stay in memory", sandbox.refusals.count)
				}
			})
		})
	}
}

// It is one event, too, when both tell it at the same time.
func TestRefusalsToldAtOnceAreToldOnce(t *testing.T) {
	const rounds = 500
	inBubble(t, Config{}, 1, func(t *testing.T, s *Server, sandboxes []*Sandbox) {
		sandbox, x := sandboxes[0], &execution{id: "x"}
		for i := range rounds {
			r := protocol.ViolationReport{Target: "http://a.example/" + strconv.Itoa(i), Directive: "connect-src"}
			var both sync.WaitGroup
			both.Go(func() { sandbox.recordReportedViolation(protocol.SourceBrowser, r) })
			both.Go(func() { sandbox.recordPageViolation(r, x) })
			both.Wait()
		}
		if n := len(violationsOf(sandbox)); n != rounds {
			t.Errorf("the log has %d events of %d refusals", n, rounds)
		}
		if n := len(x.seen.violations); n != rounds {
			t.Errorf("the execution has seen %d of %d refusals", n, rounds)
		}
	})
}

// A flood of reports is bounded and counted, and code that floods the log with its own
// reports hides none of the browser's.
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
			t.Error("what is no report is taken")
		}
		pass(tallyTime)
		want := []string{"browser http://a.example/", "browser http://a.example/", "browser http://a.example/", "browser 3 events were dropped: there were too many at once"}
		if got := violationsOf(sandbox); strings.Join(got, "\n") != strings.Join(want, "\n") || refused != 2 {
			t.Errorf("%d are refused, and the log has %q", refused, got)
		}
	})
}
