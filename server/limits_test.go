package server

import (
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/vfs"
)

// limited makes a server with the limits and n sandboxes.
func limited(t *testing.T, limits Limits, n int) (*Server, []*Sandbox) {
	t.Helper()
	s, err := New(Config{Limits: limits})
	if err != nil {
		t.Fatal(err)
	}
	return s, sandboxesOf(t, s, n)
}

func sandboxesOf(t *testing.T, s *Server, n int) []*Sandbox {
	t.Helper()
	t.Cleanup(s.Close)
	var sandboxes []*Sandbox
	for range n {
		sandboxes = append(sandboxes, mustCreate(t, s))
	}
	return sandboxes
}

// inBubble runs the test in a synctest bubble, which has its own time, with n sandboxes. The
// server is made outside, because its bundler may leave goroutines behind.
func inBubble(t *testing.T, config Config, n int, test func(*testing.T, *Server, []*Sandbox)) {
	t.Helper()
	s, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) { test(t, s, sandboxesOf(t, s, n)) })
}

// pass lets time d pass in the bubble, and waits for everything that follows from it. A
// bubble's clock stands still during Wait, and advances at once when all goroutines wait for
// it. Outside of a bubble Wait panics.
func pass(d time.Duration) {
	synctest.Wait()
	<-time.After(d)
	synctest.Wait()
}

func fileSet(t testing.TB, s *Server) *vfs.Snapshot {
	t.Helper()
	files, err := s.Store().Snapshot(map[string][]byte{"/index.html": []byte("x"), "/a.txt": []byte("contents")}, vfs.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// as returns a request as the sandbox's worker or outer frame sends it.
func (sb *Sandbox) as(method, path, body string) *http.Request {
	var r *http.Request
	if strings.HasPrefix(path, protocol.Prefix) {
		r = httptest.NewRequest(method, sb.URL()+path, strings.NewReader(body))
		r.Header.Set(protocol.SecretHeader, sb.secret)
		r.Header.Set(protocol.KeyHeader, sb.key)
	} else {
		r = httptest.NewRequest(method, sb.OuterURL()+path+"?token="+sb.token, strings.NewReader(body))
		r.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	r.Header.Set("Sec-Fetch-Dest", "empty")
	return r
}

func answer(s *Server, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

// wantRefusal checks that an answer refuses with this code, and says how long to wait.
func wantRefusal(t *testing.T, w *httptest.ResponseRecorder, status int, code, wait string) {
	t.Helper()
	if w.Code != status || !strings.HasSuffix(w.Body.String(), "Bellglass: "+code+"\n") || w.Header().Get("Retry-After") != wait {
		t.Errorf("status %d, Retry-After %q, body %q; want %d, %q, %s", w.Code, w.Header().Get("Retry-After"), w.Body, status, wait, code)
	}
	if w.Header().Get("Content-Security-Policy") == "" {
		t.Error("the refusal has no policy")
	}
}

func TestLimitsHaveDefaults(t *testing.T) {
	var l Limits
	if err := l.setDefaults(); err != nil {
		t.Fatal(err)
	}
	if l.Sandboxes != 10_000 || l.Idle != 24*time.Hour || l.Requests != (Rate{PerSecond: 500, Burst: 2_000}) || l.BodyBytes != 64<<20 {
		t.Errorf("the defaults are %+v", l)
	}
	if l != (Limits{
		Limits: SandboxLimits{
			Sandboxes: l.Sandboxes, Idle: l.Idle, LogLines: l.LogLines, StoreBytes: l.StoreBytes, LogBytes: l.LogBytes,
			Executions: l.Executions, ExecutionsAtOnce: l.ExecutionsAtOnce, ExecutionTime: l.ExecutionTime, ExecutionBytes: l.ExecutionBytes,
		},
		Streams: l.Streams, SandboxStreams: l.SandboxStreams, Connections: l.Connections,
		Verdicts: l.Verdicts, Reports: l.Reports, Requests: l.Requests, API: l.API, BodyBytes: l.BodyBytes, UploadBytes: l.UploadBytes,
		HeaderBytes: l.HeaderBytes, HeaderTime: l.HeaderTime, BodyTime: l.BodyTime, WriteTime: l.WriteTime, EndTime: l.EndTime,
	}) {
		t.Error("this test does not know each limit")
	}
	for name, wrong := range map[string]Limits{
		"Sandboxes": {Limits: SandboxLimits{Sandboxes: -1}}, "Idle": {Limits: SandboxLimits{Idle: -1}}, "Streams": {Streams: -1}, "SandboxStreams": {SandboxStreams: -1}, "Connections": {Connections: -1},
		"Verdicts.PerSecond": {Verdicts: Rate{PerSecond: -1, Burst: 0}}, "Reports.Burst": {Reports: Rate{PerSecond: 0, Burst: -1}}, "Requests": {Requests: Rate{PerSecond: -1, Burst: 0}}, "LogLines": {Limits: SandboxLimits{LogLines: Rate{PerSecond: 0, Burst: -1}}}, "API": {API: Rate{PerSecond: -1, Burst: 0}}, "UploadBytes": {UploadBytes: -1},
		"Executions": {Limits: SandboxLimits{Executions: -1}}, "ExecutionsAtOnce": {Limits: SandboxLimits{ExecutionsAtOnce: -1}}, "ExecutionTime": {Limits: SandboxLimits{ExecutionTime: -1}}, "ExecutionBytes": {Limits: SandboxLimits{ExecutionBytes: -1}},
		"StoreBytes": {Limits: SandboxLimits{StoreBytes: -1}}, "LogBytes": {Limits: SandboxLimits{LogBytes: -1}}, "BodyBytes": {BodyBytes: -1}, "HeaderBytes": {HeaderBytes: -1}, "HeaderTime": {HeaderTime: -1}, "BodyTime": {BodyTime: -1}, "WriteTime": {WriteTime: -1}, "EndTime": {EndTime: -1},
	} {
		if _, err := New(Config{Limits: wrong}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s below zero: %v", name, err)
		}
	}
}

// The document has a row for each limit.
func TestLimitsAreDocumented(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "docs", "limits.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[Limits]()) {
		if field.Anonymous {
			continue
		}
		if strings.Count(string(text), "| `"+field.Name+"` |") != 1 {
			t.Errorf("docs/limits.md has not one row for %s", field.Name)
		}
	}
}

// Each kind of flood is refused when its bucket is empty, leaves the log unchanged, and costs
// no other sandbox anything.
func TestFloodsAreRefused(t *testing.T) {
	verdicts := `{"verdicts":[` + strings.Repeat(`{"url":"https://x.example/"},`, 9) + `{}]}`
	reports := `{"page":[` + strings.Repeat(`{"kind":"console","level":"log","text":"x"},`, 9) + `{"kind":"console"}]}`
	for _, row := range []struct {
		name, method, path, body string
		limits                   Limits
		passes, events           int
		status                   int
		wait                     string
	}{
		{"state", "GET", protocol.StatePath, "", Limits{Requests: Rate{PerSecond: .25, Burst: 3}}, 3, 0, 200, "4"},
		{"blob", "GET", protocol.BlobPath + strings.Repeat("0", 64), "", Limits{Requests: Rate{PerSecond: .25, Burst: 3}}, 3, 0, 404, "4"},
		{"state that it has", "GET", protocol.StatePath + "?have=1", "", Limits{Requests: Rate{PerSecond: .25, Burst: 3}}, 3, 0, 204, "4"},
		{"verdicts", "POST", protocol.VerdictsPath, verdicts, Limits{Verdicts: Rate{PerSecond: 2.5, Burst: 30}}, 3, 30, 204, "3"},
		{"reports", "POST", "/reports", reports, Limits{Reports: Rate{PerSecond: 2.5, Burst: 30}}, 3, 30, 204, "3"},
		{"one batch above all", "POST", protocol.VerdictsPath, verdicts, Limits{Verdicts: Rate{PerSecond: .25, Burst: 5}}, 1, 10, 204, "4"},
		{"long texts", "POST", protocol.VerdictsPath, `{"verdicts":[{"url":"` + strings.Repeat("x", 29<<10) + `"}]}`, Limits{Verdicts: Rate{PerSecond: 7.5, Burst: 60}}, 2, 2, 204, "2"},
	} {
		t.Run(row.name, func(t *testing.T) {
			inBubble(t, Config{Limits: row.limits}, 2, func(t *testing.T, s *Server, sandboxes []*Sandbox) {
				for i, sandbox := range sandboxes {
					before := logged(sandbox, 0)
					for n := range row.passes {
						if w := answer(s, sandbox.as(row.method, row.path, row.body)); w.Code != row.status {
							t.Fatalf("sandbox %d, request %d: %d %s", i, n, w.Code, w.Body)
						}
					}
					for range 3 {
						wantRefusal(t, answer(s, sandbox.as(row.method, row.path, row.body)), 429, "too-many-requests", row.wait)
					}
					if after := logged(sandbox, 0); len(after)-len(before) != row.events {
						t.Errorf("sandbox %d: %d events were logged, want %d", i, len(after)-len(before), row.events)
					}
				}
				// A client that waits as told gets through. The first attempt succeeds if the
				// server knows the cost, and otherwise the second one.
				w := answer(s, sandboxes[0].as(row.method, row.path, row.body))
				for range 2 {
					if seconds, err := strconv.Atoi(w.Header().Get("Retry-After")); err == nil {
						pass(time.Duration(seconds) * time.Second)
						w = answer(s, sandboxes[0].as(row.method, row.path, row.body))
					}
				}
				if w.Code != row.status {
					t.Errorf("after the time it is %d %s", w.Code, w.Body)
				}
			})
		})
	}
}

// Clients without a secret or a token use up nothing of the clients that have one.
func TestStrangersCostNothing(t *testing.T) {
	s, sandboxes := limited(t, Limits{Requests: Rate{PerSecond: .001, Burst: 1}, Verdicts: Rate{PerSecond: .001, Burst: 1}, Reports: Rate{PerSecond: .001, Burst: 1}, SandboxStreams: 1}, 1)
	sandbox := sandboxes[0]
	for _, row := range []struct {
		method, path, body string
		status             int
	}{
		{"GET", protocol.StatePath, "", 200}, {"POST", protocol.VerdictsPath, `{}`, 204}, {"POST", "/reports", `{}`, 204},
	} {
		for range 5 {
			r := sandbox.as(row.method, row.path, row.body)
			r.Header.Del(protocol.SecretHeader)
			r.Header.Del("Sec-Fetch-Site")
			if w := answer(s, r); w.Code != 403 {
				t.Fatalf("a stranger's %s is %d %s", row.path, w.Code, w.Body)
			}
		}
		if w := answer(s, sandbox.as(row.method, row.path, row.body)); w.Code != row.status {
			t.Errorf("%s is %d %s", row.path, w.Code, w.Body)
		}
	}
}

// syncLog is a log that several goroutines may write to.
type syncLog struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *syncLog) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *syncLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func (l *syncLog) count(text string) int { return strings.Count(l.String(), text) }

// The program's log gets a limited number of lines about a sandbox, and a line that says how
// many were left out.
func TestProgramLogIsBounded(t *testing.T) {
	var out syncLog
	inBubble(t, Config{Log: slog.New(slog.NewTextHandler(&out, nil)), Limits: Limits{Limits: SandboxLimits{LogLines: Rate{PerSecond: .01, Burst: 20}}}}, 2, func(t *testing.T, s *Server, sandboxes []*Sandbox) {
		loud, quiet := sandboxes[0], sandboxes[1]
		for range 100 {
			answer(s, loud.as("POST", protocol.VerdictsPath, `{"verdicts":[{"url":"https://x.example/","action":"block"}]}`))
		}
		answer(s, quiet.as("POST", protocol.VerdictsPath, `{"verdicts":[{"url":"https://quiet.example/","action":"block"}]}`))
		if lines, told := out.count("x.example"), out.count("left out"); lines != 20 || told != 0 || out.count("quiet.example") != 1 {
			t.Errorf("the loud sandbox has %d lines, and %d lines count dropped ones; the quiet one has %d", lines, told, out.count("quiet.example"))
		}
		pass(muffledFor + time.Second)
		if out.count("left out") != 1 || out.count("sandbox="+loud.ID()+" count=80") != 1 {
			t.Errorf("the log does not tell of the 80 lines that were left out:\n%s", out.String())
		}
		answer(s, loud.as("POST", protocol.VerdictsPath, `{"verdicts":[{}]}`))
		s.Close()
		if out.count("count=1\n") != 1 {
			t.Errorf("the log does not tell at the end of the one line that was left out:\n%s", out.String())
		}
		// Lines about the lives of sandboxes are limited too.
		before := len(out.String())
		for range lifecycleLines.Burst * 3 / 2 {
			s.Remove(mustCreate(t, s).ID())
		}
		s.Close()
		if lines := strings.Count(out.String()[before:], "\n"); lines > lifecycleLines.Burst+1 || out.count("left out") < 3 {
			t.Errorf("%d lives make %d lines", lifecycleLines.Burst*3/2, lines)
		}
	})
}

func mustCreate(t testing.TB, s *Server) *Sandbox {
	t.Helper()
	sandbox, err := s.Create(Spec{Files: fileSet(t, s)})
	if err != nil {
		t.Fatal(err)
	}
	return sandbox
}

// The number of sandboxes is limited. One that nobody views makes room.
func TestSandboxesAreLimited(t *testing.T) {
	inBubble(t, Config{Limits: Limits{Limits: SandboxLimits{Sandboxes: 4}}}, 0, func(t *testing.T, s *Server, _ []*Sandbox) {
		kept, err := s.Create(Spec{Files: fileSet(t, s), Keep: true})
		if err != nil {
			t.Fatal(err)
		}
		viewed, first, second := mustCreate(t, s), mustCreate(t, s), mustCreate(t, s)
		end := follow(t, s, viewed.as("GET", "/events", ""))
		refused := func() {
			t.Helper()
			if _, err := s.Create(Spec{Files: fileSet(t, s)}); !errors.Is(err, ErrFull) {
				t.Errorf("one too many: %v", err)
			}
		}
		refused()
		pass(leastIdle)
		answer(s, first.as("GET", protocol.StatePath, "")) // used
		third := mustCreate(t, s)
		if s.Sandbox(second.ID()) != nil || s.Sandbox(first.ID()) == nil {
			t.Error("not the one that had been idle for the longest time made room")
		}
		refused()
		pass(leastIdle)
		for range 2 {
			mustCreate(t, s)
		}
		if s.Sandbox(first.ID()) != nil || s.Sandbox(third.ID()) != nil || s.Sandbox(kept.ID()) == nil || s.Sandbox(viewed.ID()) == nil {
			t.Error("a sandbox that is kept or viewed made room")
		}
		end()
	})
}

// If many clients make sandboxes at once, there are never more than the limit.
func TestCreationFlood(t *testing.T) {
	s, _ := limited(t, Limits{Limits: SandboxLimits{Sandboxes: 50}}, 0)
	files := fileSet(t, s)
	var group sync.WaitGroup
	results := make(chan error, 400)
	for range 400 {
		group.Go(func() {
			_, err := s.Create(Spec{Files: files})
			results <- err
		})
	}
	group.Wait()
	close(results)
	made := 0
	for err := range results {
		if err == nil {
			made++
		} else if !errors.Is(err, ErrFull) {
			t.Error(err)
		}
	}
	if made != 50 || len(s.Sandboxes()) != 50 {
		t.Errorf("%d were made, %d are there; want 50", made, len(s.Sandboxes()))
	}
}

// follow opens a stream and returns a function that closes it.
func follow(t *testing.T, s *Server, r *http.Request) (end func()) {
	t.Helper()
	st := openStream(t, s, r)
	if w := st.answered(); w != http.StatusOK {
		t.Fatalf("the stream %s answers %d", r.URL.Path, w)
	}
	return func() { st.cancel(); <-st.ended }
}
