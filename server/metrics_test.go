package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/protocol"
)

// scrape requests the metrics as a program on this machine does.
func scrape(t *testing.T, s *Server) string {
	t.Helper()
	r := httptest.NewRequest("GET", "http://localhost:3333/metrics", nil)
	r.RemoteAddr = "127.0.0.1:50000"
	w := answer(s, r)
	if w.Code != 200 || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain; version=0.0.4") {
		t.Fatalf("the metrics answer %d, %s", w.Code, w.Header())
	}
	return w.Body.String()
}

func TestMetrics(t *testing.T) {
	inBubble(t, Config{Limits: Limits{Limits: SandboxLimits{Sandboxes: 3}}, Version: "v9"}, 3, func(t *testing.T, s *Server, sandboxes []*Sandbox) {
		st := openStream(t, s, sandboxes[0].as("GET", "/events", ""))
		if status := st.answered(); status != 200 {
			t.Fatal(status)
		}
		if _, err := s.Create(Spec{Files: fileSet(t, s)}); !errors.Is(err, ErrFull) {
			t.Fatal(err)
		}
		if _, err := sandboxes[0].SetPolicy(nil); err != nil {
			t.Fatal(err)
		}
		if w := answer(s, sandboxes[0].as("POST", protocol.VerdictsPath, `{"verdicts":[{"action":"allow"},{"action":"block"},{"action":"odd"}],"dropped":9000000000}`)); w.Code != 204 {
			t.Fatal(w.Code, w.Body)
		}
		if w := answer(s, sandboxes[0].as("POST", "/reports", `{"page":[{"kind":"console","level":"log"},{"kind":"error"},{"kind":"violation","target":"eval","directive":"connection-allowlist"}],"dropped":2}`)); w.Code != 204 {
			t.Fatal(w.Code, w.Body)
		}
		sandboxes[1].say(logLength+50, "")
		r := sandboxes[1].as("GET", "/events", "")
		r.Header.Set("Last-Event-ID", "10")
		late := openStream(t, s, r)
		late.answered()
		s.Remove(sandboxes[2].ID())
		answer(s, httptest.NewRequest("GET", "http://elsewhere.example/", nil))
		text := scrape(t, s)
		for _, line := range []string{
			`bellglass_build_info{version="v9"} 1`,
			`bellglass_sandboxes 2`,
			`bellglass_sandboxes_created_total 3`,
			`bellglass_sandboxes_refused_total 1`,
			`bellglass_sandboxes_ended_total{reason="removed"} 1`,
			`bellglass_sandboxes_ended_total{reason="idle"} 0`,
			`bellglass_revisions_total{step="created"} 3`,
			`bellglass_revisions_total{step="policy"} 1`,
			`bellglass_events_total{action="allow",type="verdict"} 1`,
			`bellglass_events_total{action="block",type="verdict"} 2`,
			`bellglass_events_total{action="block",type="violation"} 1`,
			`bellglass_events_total{action="",type="error"} 1`,
			fmt.Sprintf(`bellglass_events_total{action="",type="console"} %d`, 1+logLength+50),
			`bellglass_events_dropped_total{cause="browser"} 1.000002e+06`,
			`bellglass_events_dropped_total{cause="missed"} 41`,
			`bellglass_streams 2`,
			`bellglass_requests_refused_total{code="unknown-host"} 1`,
			`bellglass_request_duration_seconds_count{class="inner",status="204"} 1`,
			`bellglass_request_duration_seconds_count{class="unknown",status="421"} 1`,
		} {
			if !strings.Contains(text, line+"\n") {
				t.Errorf("no line %s", line)
			}
		}
		if strings.Contains(text, `class="stream"`) {
			t.Error("a stream is counted before it has ended")
		}
		st.cancel()
		<-st.ended
		if text := scrape(t, s); !strings.Contains(text, `bellglass_request_duration_seconds_count{class="stream",status="200"} 1`+"\n") || !strings.Contains(text, "\nbellglass_streams 1\n") {
			t.Error("a stream that has ended is not counted as one")
		}
		late.cancel()
		<-late.ended
		if t.Failed() {
			t.Log(text)
		}
	})
}

// No value from outside becomes a label. So no secret leaks, and outsiders cannot create new
// series.
func TestMetricsHaveNoForeignLabels(t *testing.T) {
	s, sandboxes := limited(t, Limits{}, 1)
	const mark = "f0re1gn"
	var text strings.Builder
	for _, r := range []*http.Request{
		httptest.NewRequest(strings.ToUpper(mark), "http://"+mark+".example/", nil),
		httptest.NewRequest(strings.ToUpper(mark), "http://localhost:3333/"+mark, nil),
		httptest.NewRequest("GET", sandboxes[0].URL()+"/"+mark+"?"+mark, nil),
		sandboxes[0].as("POST", protocol.VerdictsPath, strings.ReplaceAll(`{"verdicts":[{"action":"X","code":"X","rule":"X","url":"http://X/","method":"X"}]}`, "X", mark)),
		sandboxes[0].as("POST", "/reports", strings.ReplaceAll(`{"page":[{"kind":"X"},{"kind":"violation","target":"http://X/","directive":"X"},{"kind":"console","level":"log","text":"X"}]}`, "X", mark)),
		sandboxes[0].as("GET", "/events", ""),
	} {
		if strings.HasSuffix(r.URL.Path, "/events") {
			r.URL.RawQuery += "&" + mark + "=" + mark
		}
		w := answer(s, r)
		fmt.Fprintln(&text, w.Code)
	}
	if got := text.String(); got != "421\n404\n403\n204\n204\n400\n" {
		t.Errorf("the requests were answered\n%s", got)
	}
	got := scrape(t, s)
	for _, foreign := range []string{mark, sandboxes[0].ID(), sandboxes[0].token, sandboxes[0].secret, sandboxes[0].key} {
		if strings.Contains(strings.ToLower(got), strings.ToLower(foreign)) {
			t.Errorf("the metrics hold %q", foreign)
		}
	}
	if !strings.Contains(got, `bellglass_requests_refused_total{code="bad-filter"} 1`) {
		t.Error("refused requests are not counted")
	}
}

// Only programs on this machine get the metrics.
func TestMetricsAreTheOperators(t *testing.T) {
	s, sandboxes := limited(t, Limits{}, 1)
	for _, row := range []struct {
		url, peer, site string
		status          int
	}{
		{"http://localhost:3333/metrics", "127.0.0.1:5", "", 200},
		{"http://127.0.0.1:3333/metrics", "[::1]:5", "none", 200},
		{"http://127.0.0.1:3333/metrics", "[::ffff:127.0.0.1]:5", "same-origin", 200},
		{"http://localhost:3333/metrics", "192.0.2.1:5", "", 403},
		{"http://localhost:3333/metrics", "[2001:db8::1]:5", "", 403},
		{"http://localhost:3333/metrics", "", "", 403},
		{"http://localhost:3333/metrics", "127.0.0.1:5", "cross-site", 403},
		{"http://localhost:3333/metrics", "127.0.0.1:5", "same-site", 403},
		{"http://localhost:3333/metrics", "127.0.0.1:5", "odd", 403},
		{"http://localhost:3333/%6detrics", "127.0.0.1:5", "", 404},
		{"http://sandbox.localhost:3333/metrics", "127.0.0.1:5", "", 404},
		{sandboxes[0].OuterURL() + "/metrics", "127.0.0.1:5", "", 404},
		{sandboxes[0].URL() + "/metrics", "127.0.0.1:5", "same-origin", 404},
		{"http://elsewhere.example/metrics", "127.0.0.1:5", "", 421},
	} {
		r := httptest.NewRequest("GET", row.url, nil)
		r.RemoteAddr = row.peer
		r.Header.Set("Sec-Fetch-Dest", "empty")
		if row.site != "" {
			r.Header.Set("Sec-Fetch-Site", row.site)
		}
		w := answer(s, r)
		if holds := strings.Contains(w.Body.String(), "bellglass_"); w.Code != row.status || holds != (row.status == 200) || w.Header().Get("Content-Security-Policy") == "" {
			t.Errorf("%+v: %d, %.80q", row, w.Code, w.Body)
		}
	}
}

// The document has exactly one row for each metric.
func TestMetricsAreDocumented(t *testing.T) {
	s, _ := limited(t, Limits{}, 1)
	answer(s, httptest.NewRequest("GET", "http://elsewhere.example/", nil))
	document, err := os.ReadFile(filepath.Join("..", "docs", "metrics.md"))
	if err != nil {
		t.Fatal(err)
	}
	var rows, want []string
	for line := range strings.SplitSeq(string(document), "\n") {
		if strings.HasPrefix(line, "| `bellglass_") {
			var cells []string
			for _, cell := range strings.Split(line, "|")[1:4] {
				cells = append(cells, strings.TrimSpace(cell))
			}
			rows = append(rows, strings.Join(cells, " | "))
		}
	}
	families, err := s.Metrics().Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		if !strings.HasPrefix(family.GetName(), "bellglass_") {
			continue
		}
		var labels []string
		for _, pair := range family.GetMetric()[0].GetLabel() {
			labels = append(labels, "`"+pair.GetName()+"`")
		}
		slices.SortFunc(labels, func(a, b string) int { return strings.Index(string(document), a) - strings.Index(string(document), b) })
		want = append(want, fmt.Sprintf("`%s` | %s | %s", family.GetName(), strings.ToLower(family.GetType().String()), strings.Join(labels, " ")))
		if family.GetHelp() == "" {
			t.Errorf("%s has no help", family.GetName())
		}
	}
	slices.Sort(rows)
	slices.Sort(want)
	if !slices.Equal(rows, want) {
		t.Errorf("docs/metrics.md has the rows\n%s\nwant\n%s", strings.Join(rows, "\n"), strings.Join(want, "\n"))
	}
}

func TestHealth(t *testing.T) {
	s, _ := limited(t, Limits{}, 2)
	two := 2
	ask := func() (int, health) {
		var h health
		w := answer(s, httptest.NewRequest("GET", "http://localhost:3333/healthz", nil))
		if err := json.Unmarshal(w.Body.Bytes(), &h); err != nil {
			t.Fatalf("%q: %v", w.Body, err)
		}
		return w.Code, h
	}
	if status, h := ask(); status != 200 || !reflect.DeepEqual(h, health{"ok", "", &two}) {
		t.Errorf("%d %+v", status, h)
	}
	s.End()
	if status, h := ask(); status != 503 || !reflect.DeepEqual(h, health{"ending", "", &two}) {
		t.Errorf("at the end: %d %+v", status, h)
	}
	wantRefusal(t, answer(s, httptest.NewRequest("GET", "http://localhost:3333/", nil)), 503, "ending", "5")
}

// The log line of a request names its sandbox, whatever the host and the path.
func TestRequestsAreLoggedWithTheirSandbox(t *testing.T) {
	var log bytes.Buffer
	s, err := New(Config{Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	if err != nil {
		t.Fatal(err)
	}
	sandbox := sandboxesOf(t, s, 1)[0]
	for url, named := range map[string]bool{
		sandbox.URL() + "/": true,
		sandbox.OuterURL():  true,
		"http://localhost:3333/sandboxes/" + sandbox.ID():        true,
		"http://localhost:3333/api/v1/sandboxes/" + sandbox.ID(): true,
		"http://localhost:3333/api/v1/sandboxes/" + NewID():      false,
		"http://localhost:3333/healthz":                          false,
	} {
		log.Reset()
		r := httptest.NewRequest("GET", url, nil)
		r.Header.Set("Authorization", "Bearer "+s.Token())
		r.Header.Set("Sec-Fetch-Dest", "iframe")
		answer(s, r)
		if line := log.String(); strings.Contains(line, " sandbox="+sandbox.ID()) != named || strings.Count(line, "msg=request") != 1 {
			t.Errorf("%s is logged as %s", url, line)
		}
	}
}

var quoted = regexp.MustCompile(`"(\\.|[^"\\])*"`)

// Each request is one line, and no value from outside can begin another line.
func TestLogLinesCannotBeForged(t *testing.T) {
	for name, handler := range map[string]func(*bytes.Buffer) slog.Handler{
		"text": func(b *bytes.Buffer) slog.Handler {
			return slog.NewTextHandler(b, &slog.HandlerOptions{Level: slog.LevelDebug})
		},
		"json": func(b *bytes.Buffer) slog.Handler {
			return slog.NewJSONHandler(b, &slog.HandlerOptions{Level: slog.LevelDebug})
		},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			s, err := New(Config{Log: slog.New(handler(&log))})
			if err != nil {
				t.Fatal(err)
			}
			sandbox := sandboxesOf(t, s, 1)[0]
			log.Reset()
			for _, forged := range []string{
				"x\ntime=2020-01-01 level=ERROR msg=forged", "x\r\nlevel=ERROR msg=forged", `x" level=ERROR msg=forged`,
				"x\u2028level=ERROR msg=forged", "x\x1b[2K\rlevel=ERROR msg=forged", "x\u0085level=ERROR msg=forged", `x","level":"ERROR","msg":"forged`,
			} {
				text, err := json.Marshal(forged)
				if err != nil {
					t.Fatal(err)
				}
				verdict := fmt.Sprintf(`{"verdicts":[{"action":"block","method":%[1]s,"url":%[1]s,"rule":%[1]s,"reason":%[1]s,"file":%[1]s,"code":%[1]s}]}`, text)
				if w := answer(s, sandbox.as("POST", protocol.VerdictsPath, verdict)); w.Code != 204 {
					t.Fatal(w.Code, w.Body)
				}
				sandbox.Refused(errors.New(forged))
			}
			lines := strings.Split(strings.TrimSuffix(log.String(), "\n"), "\n")
			// One line for each block, each request, and each refusal.
			if len(lines) != 3*7 {
				t.Errorf("there are %d lines", len(lines))
			}
			for _, line := range lines {
				bare := quoted.ReplaceAllString(line, "")
				begins := strings.HasPrefix(line, "time=") && strings.Count(bare, " level=") == 1 && !strings.Contains(bare, "level=ERROR")
				if name == "json" {
					var fields map[string]any
					err := json.Unmarshal([]byte(line), &fields)
					begins = err == nil && fields["level"] != "ERROR" && fields["msg"] != "forged"
				}
				if !begins || strings.ContainsAny(line, "\r\x1b") {
					t.Errorf("a forged line: %q", line)
				}
			}
			if !strings.Contains(log.String(), "status") || !strings.Contains(log.String(), "inner") || !strings.Contains(log.String(), "forged") {
				t.Errorf("the log is\n%s", log.String())
			}
		})
	}
}
