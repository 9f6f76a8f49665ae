package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/rules"
)

// A streamed answer can be read while its handler runs.
type streamed struct {
	cancel  context.CancelFunc
	ended   chan struct{}
	onFlush func()

	mu     sync.Mutex
	header http.Header
	status int
	body   bytes.Buffer
}

// openStream runs the handler in a goroutine.
func openStream(t *testing.T, s *Server, r *http.Request) *streamed {
	t.Helper()
	return openFlushed(t, s, r, func() {})
}

// openFlushed does what openStream does, and calls onFlush at each flush.
func openFlushed(t *testing.T, s *Server, r *http.Request, onFlush func()) *streamed {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	st := &streamed{cancel: cancel, ended: make(chan struct{}), header: http.Header{}, onFlush: onFlush}
	go func() {
		defer close(st.ended)
		s.ServeHTTP(st, r.WithContext(ctx))
	}()
	t.Cleanup(func() { cancel(); <-st.ended })
	return st
}

func (st *streamed) Header() http.Header { return st.header }
func (st *streamed) Flush()              { st.onFlush() }

func (st *streamed) WriteHeader(status int) {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.status = status
}

func (st *streamed) Write(b []byte) (int, error) {
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.body.Write(b)
}

// answered returns the status once nothing more happens. It needs a bubble.
func (st *streamed) answered() int {
	synctest.Wait()
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.status
}

// text returns what the stream has sent after its first message, which is for the outer frame
// and is no event.
func (st *streamed) text() string {
	st.mu.Lock()
	defer st.mu.Unlock()
	text := st.body.String()
	if strings.HasPrefix(text, "event: demand\n") {
		_, text, _ = strings.Cut(text, "\n\n")
	}
	return text
}

// The policy's demand is the first message to an outer frame. It is sent again when the policy
// demands something else.
func TestStreamsTellTheDemand(t *testing.T) {
	inBubble(t, Config{}, 1, func(t *testing.T, s *Server, sandboxes []*Sandbox) {
		st := openStream(t, s, sandboxes[0].as("GET", "/events", ""))
		st.answered()
		for _, text := range []string{"version: 1\n", "version: 1\ncontainment: allowlist\n", "version: 1\nmode: audit\n"} {
			policy, err := rules.Parse("rules.yaml", []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := sandboxes[0].SetPolicy(policy); err != nil {
				t.Fatal(err)
			}
			pass(time.Second)
		}
		st.mu.Lock()
		defer st.mu.Unlock()
		var demands []string
		for line := range strings.Lines(st.body.String()) {
			if demand, is := strings.CutPrefix(line, `data: {"kind":"demand",`); is {
				demands = append(demands, strings.TrimSpace(demand))
			}
		}
		want := []string{`"enough":["csp","allowlist"],"audit":false,"warm":false}`, `"enough":["allowlist"],"audit":false,"warm":false}`, `"enough":["csp","allowlist"],"audit":true,"warm":false}`}
		if !slices.Equal(demands, want) {
			t.Errorf("the demands are %q, want %q", demands, want)
		}
	})
}

func TestStreamsAreLimited(t *testing.T) {
	inBubble(t, Config{Limits: Limits{SandboxStreams: 3, Streams: 5}}, 3, func(t *testing.T, s *Server, sandboxes []*Sandbox) {
		paths := []string{"/events", protocol.ChangesPath}
		refused := func(sandbox *Sandbox, status int, text string) {
			t.Helper()
			for _, path := range paths {
				before := logged(sandbox, 0)
				w := answer(s, sandbox.as("GET", path, ""))
				wantRefusal(t, w, status, "too-many-streams", "10")
				if !strings.Contains(w.Body.String(), text) {
					t.Errorf("the refusal says %q, not %q", w.Body, text)
				}
				if after := logged(sandbox, 0); len(after) != len(before) {
					t.Error("the refusal is in the event log")
				}
			}
		}
		var open []*streamed
		for i, sandbox := range []*Sandbox{sandboxes[0], sandboxes[0], sandboxes[0], sandboxes[1], sandboxes[1]} {
			st := openStream(t, s, sandbox.as("GET", paths[i%2], ""))
			if status := st.answered(); status != 200 {
				t.Fatalf("stream %d answers %d", i, status)
			}
			if got := st.header.Get("X-Accel-Buffering"); got != "no" {
				t.Errorf("stream %d tells nginx %q", i, got)
			}
			open = append(open, st)
		}
		refused(sandboxes[0], 429, "has 3 open streams")
		refused(sandboxes[1], 503, "has 5 open streams")
		refused(sandboxes[2], 503, "has 5 open streams")

		// A stream that ends frees its place. A refused stream took none.
		open[0].cancel()
		<-open[0].ended
		st := openStream(t, s, sandboxes[2].as("GET", "/events", ""))
		if status := st.answered(); status != 200 {
			t.Errorf("after one has ended the next answers %d", status)
		}
		refused(sandboxes[0], 503, "has 5 open streams")
		for _, st := range append(open, st) {
			st.cancel()
			<-st.ended
		}
		if in := s.streams.used.Load(); in != 0 || sandboxes[0].streams.used.Load() != 0 {
			t.Errorf("%d streams are counted after all have ended", in)
		}
	})
}

// The streams of a removed sandbox end, and the last line of its log says why. Its host is
// then unknown, and it cannot be changed.
func TestRemove(t *testing.T) {
	inBubble(t, Config{Limits: Limits{}}, 3, func(t *testing.T, s *Server, sandboxes []*Sandbox) {
		gone, other := sandboxes[0], sandboxes[1]
		events, changes := openStream(t, s, gone.as("GET", "/events", "")), openStream(t, s, gone.as("GET", protocol.ChangesPath, ""))
		others := openStream(t, s, other.as("GET", "/events", ""))
		synctest.Wait()
		if !s.Remove(gone.ID()) || s.Remove(gone.ID()) || s.Remove("unknown") {
			t.Error("Remove does not tell whether there was one")
		}
		<-events.ended
		<-changes.ended
		lines := strings.Split(strings.TrimSpace(events.text()), "\n")
		if last := lines[len(lines)-1]; !strings.Contains(last, `"step":"removed"`) || !strings.Contains(last, "it was removed") {
			t.Errorf("the last event is %s", last)
		}
		synctest.Wait()
		select {
		case <-others.ended:
			t.Error("another sandbox's stream has ended")
		default:
		}
		for _, r := range []*http.Request{
			gone.as("GET", protocol.StatePath, ""), gone.as("POST", protocol.VerdictsPath, "{}"), gone.as("POST", "/reports", "{}"), gone.as("GET", "/x.txt", ""),
		} {
			if !strings.HasPrefix(r.URL.Path, protocol.Prefix) {
				r.URL.RawQuery = ""
			}
			w := answer(s, r)
			if w.Code != 404 || !strings.Contains(w.Body.String(), "unknown-sandbox") || !strings.Contains(w.Body.String(), "was removed") || w.Header().Get("Content-Security-Policy") == "" {
				t.Errorf("%s of the removed sandbox: %d %s", r.URL.Path, w.Code, w.Body)
			}
		}
		if _, err := gone.SetFiles(fileSet(t, s)); !errors.Is(err, ErrRemoved) || gone.Revision() != 1 {
			t.Errorf("changing the removed sandbox: %v, revision %d", err, gone.Revision())
		}
		if w := answer(s, other.as("GET", protocol.StatePath, "")); w.Code != 200 {
			t.Errorf("the other sandbox answers %d", w.Code)
		}
		// The host page shows the oldest remaining sandbox.
		if first := servedAs(s.registry.First()); first != other {
			t.Errorf("the host page shows %v, want %s", first, other.ID())
		}
		s.Close()
		<-others.ended
		if w := answer(s, must(http.NewRequest("GET", "http://localhost:3333/", nil))); w.Code != 404 || len(s.Sandboxes()) != 0 || s.registry.LogBytes() != 0 {
			t.Errorf("after Close the host page answers %d, there are %d sandboxes and %d bytes of events", w.Code, len(s.Sandboxes()), s.registry.LogBytes())
		}
	})
}

// A stream begins after the last event that its client had, in whichever way the client says
// so.
func TestStreamsGoOn(t *testing.T) {
	inBubble(t, Config{}, 1, func(t *testing.T, s *Server, sandboxes []*Sandbox) {
		sandboxes[0].say(3, "")
		for _, row := range []struct{ header, parameter, first string }{
			{"", "", "id: 1\n"}, {"2", "", "id: 3\n"}, {"", "2", "id: 3\n"}, {"3", "1", "id: 4\n"},
		} {
			r := sandboxes[0].as("GET", "/events", "")
			if row.parameter != "" {
				r.URL.RawQuery += "&after=" + row.parameter
			}
			r.Header.Set("Last-Event-ID", row.header)
			st := openStream(t, s, r)
			if status := st.answered(); status != 200 || !strings.HasPrefix(st.text(), row.first) {
				t.Errorf("after %q and %q: %d %.20q, want %q", row.header, row.parameter, status, st.text(), row.first)
			}
		}
	})
}

// A client that was away for too long is told how many events are gone, as an event that is
// newer than the last one that it had. So is a new client if events are gone already.
func TestStreamsTellWhatIsMissing(t *testing.T) {
	inBubble(t, Config{}, 1, func(t *testing.T, s *Server, sandboxes []*Sandbox) {
		sandboxes[0].say(logLength+99, "") // after the event of the creation
		for after, want := range map[string][2]string{
			"10":  {"id: 100\n", "90 events were dropped"},
			"100": {"id: 101\n", ""},
			"":    {"id: 100\n", "100 earlier events are no longer kept"},
		} {
			r := sandboxes[0].as("GET", "/events", "")
			r.Header.Set("Last-Event-ID", after)
			st := openStream(t, s, r)
			st.answered()
			told := strings.Contains(st.text(), `"step":"dropped"`)
			if !strings.HasPrefix(st.text(), want[0]) || told != (want[1] != "") || !strings.Contains(st.text(), want[1]) {
				t.Errorf("after %q it begins with %.300s", after, st.text())
			}
		}
	})
}

// A flood does not wake a stream for each event. A single event is sent at once.
func TestStreamsGatherEvents(t *testing.T) {
	inBubble(t, Config{}, 1, func(t *testing.T, s *Server, sandboxes []*Sandbox) {
		var flushes atomic.Int64
		st := openFlushed(t, s, sandboxes[0].as("GET", "/events", ""), func() { flushes.Add(1) })
		pass(time.Second)
		sandboxes[0].say(1, "the first")
		if st.answered(); !strings.Contains(st.text(), "the first") {
			t.Error("the first event waits")
		}
		flushes.Store(0)
		for range 200 {
			sandboxes[0].say(1, "flood")
			pass(5 * time.Millisecond)
		}
		if n, most := flushes.Load(), int64(time.Second/gathering)+1; n > most || n == 0 {
			t.Errorf("200 events within a second arrive in %d parts, want at most %d", n, most)
		}
		pass(gathering)
		if st.answered(); strings.Count(st.text(), "flood") != 200 {
			t.Errorf("%d of 200 events arrive", strings.Count(st.text(), "flood"))
		}
	})
}

// The last event reaches a stream even if it arrives while the stream is about to wait. The
// stream then finds both at once: an event, and its end.
func TestLastEventIsNotLost(t *testing.T) {
	inBubble(t, Config{}, 30, func(t *testing.T, s *Server, sandboxes []*Sandbox) {
		for _, sandbox := range sandboxes {
			st := openFlushed(t, s, sandbox.as("GET", "/events", ""), func() {
				s.Remove(sandbox.ID())
				synctest.Wait()
			})
			<-st.ended
			if !strings.Contains(st.text(), `"step":"removed"`) {
				t.Fatalf("the stream ended with %s", st.text())
			}
		}
	})
}

func must(r *http.Request, err error) *http.Request {
	if err != nil {
		panic(err)
	}
	r.Host = r.URL.Host
	return r
}

// A sandbox that nobody views ends. A sandbox that is viewed, used, or kept does not.
func TestIdleSandboxesEnd(t *testing.T) {
	const idle = time.Hour
	inBubble(t, Config{Limits: Limits{Limits: SandboxLimits{Idle: idle}}}, 3, func(t *testing.T, s *Server, sandboxes []*Sandbox) {
		alone, viewed, used := sandboxes[0], sandboxes[1], sandboxes[2]
		kept, err := s.Create(Spec{Files: fileSet(t, s), Keep: true})
		if err != nil {
			t.Fatal(err)
		}
		there := func() string {
			synctest.Wait()
			var all []string
			for _, each := range []struct {
				name    string
				sandbox *Sandbox
			}{{"alone", alone}, {"viewed", viewed}, {"used", used}, {"kept", kept}} {
				if s.Sandbox(each.sandbox.ID()) != nil {
					all = append(all, each.name)
				}
			}
			return fmt.Sprint(all)
		}
		end := follow(t, s, viewed.as("GET", "/events", ""))
		pass(idle - time.Second)
		answer(s, used.as("GET", protocol.StatePath, ""))
		if got := there(); got != "[alone viewed used kept]" {
			t.Errorf("just before the time there are %s", got)
		}
		pass(time.Second)
		if got := there(); got != "[viewed used kept]" {
			t.Errorf("after it there are %s", got)
		}
		pass(idle)
		if got := there(); got != "[viewed kept]" {
			t.Errorf("after twice the time there are %s", got)
		}
		pass(100*idle + idle/2)
		end()
		pass(idle - time.Second)
		if got := there(); got != "[viewed kept]" {
			t.Errorf("just before the time since its last view there are %s", got)
		}
		pass(time.Second)
		if got := there(); got != "[kept]" {
			t.Errorf("after it there are %s", got)
		}
		pass(1000 * idle)
		if got := there(); got != "[kept]" {
			t.Errorf("at the end there are %s", got)
		}
	})
}
