package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bellglass/bellglass/protocol"
)

// beginning is an execution that a goroutine waits for.
type beginning struct {
	outcome *Outcome
	err     error
	over    chan struct{}
}

func begin(ctx context.Context, sb *Sandbox, e Execution) *beginning {
	b := &beginning{over: make(chan struct{})}
	go func() {
		defer close(b.over)
		b.outcome, b.err = sb.Execute(ctx, e)
	}()
	return b
}

// want checks how the execution ended. It must have ended by now. It needs a bubble.
func (b *beginning) want(t *testing.T, code protocol.FailureCode, text string) {
	t.Helper()
	synctest.Wait()
	select {
	case <-b.over:
	default:
		t.Fatalf("it does not end; it should with %s", code)
	}
	if b.err != nil || b.outcome.Error == nil || b.outcome.Error.Code != code || !strings.Contains(b.outcome.Error.Message, text) {
		t.Errorf("it ended with %+v, %v; want %s, with %q in it", b.outcome, b.err, code, text)
	}
}

var askedID = regexp.MustCompile(`event: run\ndata: {"kind":"run","execution":"([a-z2-7]{26})"`)

// asked returns the ids of the executions that a stream has asked for.
func (st *streamed) asked() (ids []string) {
	synctest.Wait()
	for _, found := range askedID.FindAllStringSubmatch(st.text(), -1) {
		ids = append(ids, found[1])
	}
	return ids
}

// The call always ends, with a reason, and the view is told to stop code that still runs.
func TestExecutionEnds(t *testing.T) {
	inBubble(t, Config{Limits: Limits{Limits: SandboxLimits{Executions: 3, ExecutionsAtOnce: 2}}}, 2, func(t *testing.T, s *Server, sandboxes []*Sandbox) {
		sb := sandboxes[0]
		one := Execution{Code: "1", Timeout: time.Minute}

		inView := one
		inView.RequireView = true
		begin(t.Context(), sb, inView).want(t, protocol.FailureNoView, "Open http://localhost:3333/sandboxes/"+sb.ID())
		alone := begin(t.Context(), sb, one)
		pass(time.Minute)
		alone.want(t, protocol.FailureNoView, "Open http://localhost:3333/sandboxes/"+sb.ID())

		view := openStream(t, s, sb.as("GET", "/events", ""))
		other := openStream(t, s, sandboxes[1].as("GET", "/events", ""))
		synctest.Wait() // until both show their sandbox
		ctx, cancel := context.WithCancel(t.Context())
		running := []*beginning{begin(t.Context(), sb, inView), begin(ctx, sb, one)}
		synctest.Wait()
		queued := begin(t.Context(), sb, Execution{Code: "1", Timeout: time.Second})
		synctest.Wait()
		if _, err := sb.Execute(t.Context(), one); !errors.Is(err, ErrTooManyExecutions) {
			t.Errorf("the fourth: %v", err)
		}
		if ids := view.asked(); len(ids) != 2 || len(other.asked()) != 0 {
			t.Errorf("asked for %q, and of another sandbox's view for %q", ids, other.asked())
		}
		if n := sb.Info().Viewers; n != 1 {
			t.Errorf("%d viewers, want 1", n)
		}
		pass(time.Second)
		queued.want(t, protocol.FailureTimeout, "did not begin within 1s: 2 executions")
		cancel()
		<-running[1].over
		if !errors.Is(running[1].err, context.Canceled) || running[1].outcome != nil {
			t.Errorf("nobody waits, and it gives %+v, %v", running[1].outcome, running[1].err)
		}
		pass(time.Minute)
		running[0].want(t, protocol.FailureTimeout, "did not end within 1m0s")
		if n := strings.Count(view.text(), `"kind":"end"`); n != 2 {
			t.Errorf("%d executions are told to end, want 2", n)
		}

		closed := begin(t.Context(), sb, one)
		synctest.Wait()
		view.cancel()
		closed.want(t, protocol.FailureViewClosed, "was closed")
		waits := begin(t.Context(), sb, one)
		synctest.Wait()
		next := openStream(t, s, sb.as("GET", "/events", ""))
		if len(next.asked()) != 1 {
			t.Error("what waits for a view is not asked for when there is one")
		}
		s.Remove(sb.ID())
		waits.want(t, protocol.FailureRemoved, "removed")
		if n := sb.Viewers(); n != 0 {
			t.Errorf("at the end %d views are left", n)
		}
	})
}

// An outer frame can only post about executions of its own sandbox. A post is accepted as a
// whole or not at all, and only once.
func TestExecutionReports(t *testing.T) {
	inBubble(t, Config{Limits: Limits{Limits: SandboxLimits{ExecutionBytes: 1000}}}, 2, func(t *testing.T, s *Server, sandboxes []*Sandbox) {
		sb, other := sandboxes[0], sandboxes[1]
		view := openStream(t, s, sb.as("GET", "/events", ""))
		var ids []string
		ask := func() (*beginning, string) {
			b := begin(t.Context(), sb, Execution{Code: "export default 1", Args: json.RawMessage(`{"__proto__": 1}`)})
			ids = view.asked()
			return b, ids[len(ids)-1]
		}
		post := func(as *Sandbox, status int, format string, args ...any) {
			t.Helper()
			if w := answer(s, as.as("POST", "/executions", fmt.Sprintf(format, args...))); w.Code != status {
				t.Errorf(format+" is answered %d %s, want %d", append(args, w.Code, w.Body, status)...)
			}
		}
		b, id := ask()
		const finish = `{"execution":%q,"dropped":0,"page":[],"finish":{"kind":"finish","result":%q,"dropped":0}}`
		before := newest(sb)
		post(other, 404, finish, id, `{"value":1,"types":{}}`)
		post(sb, 404, finish, NewID(), `{"value":1,"types":{}}`)
		post(sb, 400, `{"execution":%q,"page":[{"kind":"error","text":"x"}],"finish":{"kind":"finish","failure":{"code":"removed"}}}`, id)
		post(sb, 400, `{"execution":%q,"page":[{"kind":"error","text":"x"}],"finish":{"kind":"console"}}`, id)
		if w := answer(s, other.as("GET", protocol.ExecutionPath+id+"/"+protocol.ExecutionCode, "")); w.Code != 404 {
			t.Errorf("another sandbox's worker gets %d %s", w.Code, w.Body)
		}
		if newest(sb) != before {
			t.Error("what was refused is in the log")
		}
		select {
		case <-b.over:
			t.Fatal("what was refused has ended it")
		default:
		}

		// The valid requests.
		if w := answer(s, sb.as("GET", protocol.ExecutionPath+id+"/"+protocol.ExecutionCode, "")); w.Code != 200 || w.Body.String() != "export default 1" {
			t.Errorf("the worker gets %d %s", w.Code, w.Body)
		}
		if w := answer(s, sb.as("GET", protocol.ExecutionPath+id+"/"+protocol.ExecutionWorker, "")); w.Code != 200 || !strings.Contains(w.Body.String(), `"args":"{\"__proto__\": 1}"`) {
			t.Errorf("the worker gets %d %.200s", w.Code, w.Body)
		}
		if w := answer(s, sb.as("GET", protocol.ExecutionPath+id+"/"+protocol.ExecutionWorker, "")); w.Code != 403 {
			t.Errorf("a second worker gets %d %s", w.Code, w.Body)
		}
		post(sb, 204, `{"execution":%q,"dropped":2,"page":[{"kind":"console","level":"log","text":"said"},{"kind":"nonsense"}]}`, id)
		answer(s, sb.as("POST", protocol.VerdictsPath, fmt.Sprintf(`{"verdicts":[{"url":"http://a.example/","action":"block","execution":%q},{"url":"http://b.example/","action":"allow"}]}`, id)))
		post(sb, 204, finish, id, `{"value":{"a":[1]},"types":{"":"x"}}`)
		<-b.over
		post(sb, 404, finish, id, `{"value":2,"types":{}}`)
		o := b.outcome
		if b.err != nil || o.ID != id || o.Error != nil || string(o.Result) != `{"a":[1]}` || o.Types[""] != "x" || o.Dropped != 3 || !o.Truncated {
			t.Errorf("it gave %+v, %v", o, b.err)
		}
		if len(o.Console) != 1 || o.Console[0].Text != "said" || o.Console[0].Execution != id || len(o.Verdicts) != 1 || o.Verdicts[0].URL != "http://a.example/" || o.Verdicts[0].ID == 0 {
			t.Errorf("it saw %+v, %+v", o.Console, o.Verdicts)
		}

		// A page that forges its result.
		for text, code := range map[string]protocol.FailureCode{
			"": protocol.FailureUnserializable, "{": protocol.FailureUnserializable, `{"types":{}}`: protocol.FailureUnserializable, `{"value":1,"types":[]}`: protocol.FailureUnserializable,
			`{"value":"` + strings.Repeat("x", 1000) + `"}`: protocol.FailureResultTooLarge,
		} {
			b, id := ask()
			post(sb, 204, finish, id, text)
			b.want(t, code, "")
		}
		b, id = ask()
		post(sb, 204, `{"execution":%q,"finish":{"kind":"finish","failure":{"code":"threw","name":"N","message":%q,"stack":"S"}}}`, id, strings.Repeat("m", maxText+9))
		b.want(t, protocol.FailureThrew, "mmm")
		if f := b.outcome.Error; f.Name != "N" || f.Stack != "S" || len(f.Message) > maxText+3 {
			t.Errorf("the failure is %.300v", f)
		}
	})
}
