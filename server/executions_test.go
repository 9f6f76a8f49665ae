package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
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

var askedAddress = regexp.MustCompile(`event: run\ndata: {"kind":"run","execution":"([a-z2-7]{26})"`)

// asked returns the addresses of the executions that a stream has asked for.
func (st *streamed) asked() (addresses []string) {
	synctest.Wait()
	for _, found := range askedAddress.FindAllStringSubmatch(st.text(), -1) {
		addresses = append(addresses, found[1])
	}
	return addresses
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
		if addresses := view.asked(); len(addresses) != 2 || len(other.asked()) != 0 {
			t.Errorf("asked for %q, and of another sandbox's view for %q", addresses, other.asked())
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
		ask := func() (*beginning, string) {
			b := begin(t.Context(), sb, Execution{Code: "export default 1", Args: json.RawMessage(`{"__proto__": 1}`)})
			addresses := view.asked()
			return b, addresses[len(addresses)-1]
		}
		post := func(as *Sandbox, status int, format string, args ...any) {
			t.Helper()
			if w := answer(s, as.as("POST", "/executions", fmt.Sprintf(format, args...))); w.Code != status {
				t.Errorf(format+" is answered %d %s, want %d", append(args, w.Code, w.Body, status)...)
			}
		}
		b, address := ask()
		const finish = `{"execution":%q,"dropped":0,"page":[],"outcome":{"kind":"outcome","result":%q,"dropped":0}}`
		before := newest(sb)
		post(other, 404, finish, address, `{"value":1,"types":{}}`)
		post(sb, 404, finish, NewID(), `{"value":1,"types":{}}`)
		post(sb, 400, `{"execution":%q,"page":[{"kind":"error","text":"x"}],"outcome":{"kind":"outcome","failure":{"code":"removed"}}}`, address)
		post(sb, 400, `{"execution":%q,"page":[{"kind":"error","text":"x"}],"outcome":{"kind":"console"}}`, address)
		if w := answer(s, other.as("GET", protocol.ExecutionPath+address+"/"+protocol.ExecutionCode, "")); w.Code != 404 {
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
		if w := answer(s, sb.as("GET", protocol.ExecutionPath+address+"/"+protocol.ExecutionCode, "")); w.Code != 200 || w.Body.String() != "export default 1" {
			t.Errorf("the worker gets %d %s", w.Code, w.Body)
		}
		if w := answer(s, sb.as("GET", protocol.ExecutionPath+address+"/"+protocol.ExecutionWorker, "")); w.Code != 200 || !strings.Contains(w.Body.String(), `"args":"{\"__proto__\": 1}"`) {
			t.Errorf("the worker gets %d %.200s", w.Code, w.Body)
		}
		if w := answer(s, sb.as("GET", protocol.ExecutionPath+address+"/"+protocol.ExecutionWorker, "")); w.Code != 403 {
			t.Errorf("a second worker gets %d %s", w.Code, w.Body)
		}
		post(sb, 204, `{"execution":%q,"dropped":2,"page":[{"kind":"console","level":"log","text":"said"},{"kind":"nonsense"}]}`, address)
		answer(s, sb.as("POST", protocol.VerdictsPath, fmt.Sprintf(`{"verdicts":[{"url":"http://a.example/","action":"block","execution":%q},{"url":"http://b.example/","action":"allow"}]}`, address)))
		post(sb, 204, finish, address, `{"value":{"a":[1]},"types":{"":"x"}}`)
		<-b.over
		post(sb, 404, finish, address, `{"value":2,"types":{}}`)
		o := b.outcome
		if b.err != nil || !IsID(o.ID) || o.ID == address || o.Error != nil || string(o.Result) != `{"a":[1]}` || o.Types[""] != "x" || o.Dropped != 3 || !o.Truncated {
			t.Errorf("it gave %+v, %v", o, b.err)
		}
		if len(o.Console) != 1 || o.Console[0].Text != "said" || o.Console[0].Execution != o.ID || len(o.Verdicts) != 1 || o.Verdicts[0].URL != "http://a.example/" || o.Verdicts[0].ID == 0 {
			t.Errorf("it saw %+v, %+v", o.Console, o.Verdicts)
		}

		// A page that forges its result.
		for text, code := range map[string]protocol.FailureCode{
			"": protocol.FailureUnserializable, "{": protocol.FailureUnserializable, `{"types":{}}`: protocol.FailureUnserializable, `{"value":1,"types":[]}`: protocol.FailureUnserializable,
			`{"value":"` + strings.Repeat("x", 1000) + `"}`: protocol.FailureResultTooLarge,
		} {
			b, address := ask()
			post(sb, 204, finish, address, text)
			b.want(t, code, "")
		}
		b, address = ask()
		post(sb, 204, `{"execution":%q,"outcome":{"kind":"outcome","failure":{"code":"threw","name":"N","message":%q,"stack":"S"}}}`, address, strings.Repeat("m", maxText+9))
		b.want(t, protocol.FailureThrew, "mmm")
		if f := b.outcome.Error; f.Name != "N" || f.Stack != "S" || len(f.Message) > maxText+3 {
			t.Errorf("the failure is %.300v", f)
		}
	})
}

// A client can choose an execution's id. The id names the execution in the log alone: code of
// the sandbox that guesses it reaches nothing of the execution.
func TestExecutionIDIsNoAddress(t *testing.T) {
	inBubble(t, Config{}, 1, func(t *testing.T, s *Server, sandboxes []*Sandbox) {
		sb := sandboxes[0]
		view := openStream(t, s, sb.as("GET", "/events", ""))
		chosen := Execution{ID: "job-1_A", Code: "export default 1", Timeout: time.Minute}
		b := begin(t.Context(), sb, chosen)
		address := view.asked()[0]
		isolated := chosen
		isolated.ID, isolated.Context = "job-2", ContextFrame
		second := begin(t.Context(), sb, isolated)
		if text := view.text(); len(view.asked()) != 2 || strings.Contains(text, chosen.ID) || strings.Contains(text, isolated.ID) {
			t.Errorf("the view is sent %s", text)
		}

		_, err := sb.Execute(t.Context(), chosen)
		if rejected, is := errors.AsType[*ExecutionError](err); !is || rejected.Code != "execution-exists" {
			t.Errorf("the same id again: %v", err)
		}
		get := func(path string) int {
			r := sb.as("GET", path, "")
			if strings.HasPrefix(path, protocol.IsolatedPath) {
				r.Header.Set("Sec-Fetch-Dest", "iframe")
			}
			return answer(s, r).Code
		}
		for _, path := range []string{protocol.ExecutionPath + chosen.ID + "/" + protocol.ExecutionWorker, protocol.ExecutionPath + chosen.ID + "/" + protocol.ExecutionCode, protocol.IsolatedPath + isolated.ID} {
			if code := get(path); code != 404 {
				t.Errorf("%s is answered %d", path, code)
			}
		}
		for _, path := range []string{protocol.ExecutionPath + address + "/" + protocol.ExecutionWorker, protocol.ExecutionPath + address + "/" + protocol.ExecutionCode, protocol.IsolatedPath + view.asked()[1]} {
			if code := get(path); code != 200 {
				t.Errorf("%s is answered %d", path, code)
			}
		}
		const finish = `{"execution":%q,"page":[{"kind":"console","level":"log","text":"said"}],"outcome":{"kind":"outcome","result":"{\"value\":2,\"types\":{}}"}}`
		if w := answer(s, sb.as("POST", "/executions", fmt.Sprintf(finish, chosen.ID))); w.Code != 404 || !strings.Contains(w.Body.String(), "no-execution") {
			t.Errorf("a report by the id is answered %d %s", w.Code, w.Body)
		}
		const verdict = `{"verdicts":[{"url":"http://%s.example/","action":"block","execution":%q}]}`
		answer(s, sb.as("POST", protocol.VerdictsPath, fmt.Sprintf(verdict, "by-id", chosen.ID)))
		answer(s, sb.as("POST", protocol.VerdictsPath, fmt.Sprintf(verdict, "by-address", address)))
		answer(s, sb.as("POST", "/executions", fmt.Sprintf(finish, address)))
		<-b.over
		if o := b.outcome; b.err != nil || o.ID != chosen.ID || string(o.Result) != "2" || len(o.Console) != 1 || o.Console[0].Execution != chosen.ID || len(o.Verdicts) != 1 || o.Verdicts[0].URL != "http://by-address.example/" {
			t.Errorf("it gave %+v, %v", o, b.err)
		}
		for _, e := range logged(sb, 0) {
			if v, is := e.Event().(protocol.VerdictEvent); is && (v.Execution == chosen.ID) != (v.URL == "http://by-address.example/") {
				t.Errorf("the log has %+v", v)
			}
		}

		// The id is free again. Two executions at once would have shared their events.
		again := begin(t.Context(), sb, chosen)
		if len(view.asked()) != 3 {
			t.Error("the id of an execution that is over is refused")
		}
		s.Remove(sb.ID())
		<-again.over
		<-second.over
	})
}

// A report's event names the view whose outer frame sent it. The server gives each outer frame
// another id.
func TestReportsNameTheirView(t *testing.T) {
	inBubble(t, Config{}, 1, func(t *testing.T, s *Server, sandboxes []*Sandbox) {
		sb := sandboxes[0]
		served := func() string {
			r := sb.as("GET", "", "")
			r.Header.Set("Sec-Fetch-Dest", "iframe")
			found := regexp.MustCompile(`"view":"([a-z2-7]{26})"`).FindStringSubmatch(answer(s, r).Body.String())
			if found == nil {
				t.Fatal("the outer frame has no id of a view")
			}
			return found[1]
		}
		one, two := served(), served()
		if one == two {
			t.Errorf("two outer frames have the view %s", one)
		}
		stream := openStream(t, s, sb.as("GET", "/events", ""))
		b := begin(t.Context(), sb, Execution{ID: "job", Code: "1", Timeout: time.Minute})
		address, before := stream.asked()[0], newest(sb)
		const said = `{"kind":"console","level":"log","text":"said"},{"kind":"error","text":"thrown"},{"kind":"violation","target":"alert","directive":"allow-modals"},{}`
		page, outer := fmt.Sprintf(`{"view":%q,"page":[`+said+`],"outer":[{"kind":"violation","target":"https://a.example/","directive":"frame-src"}]}`, one), `{"page":[{"kind":"console","level":"log","text":"by nobody"}],"outer":[]}`
		execution := fmt.Sprintf(`{"execution":%q,"view":%q,"page":[`+said+`],"outcome":{"kind":"outcome","result":"{\"value\":2,\"types\":{}}"}}`, address, two)
		for _, post := range []struct {
			path, body string
			status     int
		}{
			{"/reports", `{"view":"s0","page":[` + said + `]}`, 400}, {"/executions", fmt.Sprintf(`{"execution":%q,"view":"s0"}`, address), 400},
			{"/reports", page, 204}, {"/reports", outer, 204}, {"/executions", execution, 204},
		} {
			if w := answer(s, sb.as("POST", post.path, post.body)); w.Code != post.status {
				t.Errorf("%s is answered %d %s", post.body, w.Code, w.Body)
			}
		}
		<-b.over
		var views []string
		for _, e := range logged(sb, before) {
			h := e.Event().EventHead()
			views = append(views, strings.NewReplacer(one, "one", two, "two").Replace(h.View)+" "+h.Execution)
		}
		// The navigation is first: the outer frame saw it itself. The last of each are dropped events.
		want := []string{"one ", "one ", "one ", "one ", "one ", " ", "two job", "two job", "two job", "two "}
		if !slices.Equal(views, want) {
			t.Errorf("the events have the views %q, want %q", views, want)
		}
		if o := b.outcome; len(o.Console) != 1 || o.Console[0].View != two || len(o.Violations) != 1 || o.Violations[0].View != two {
			t.Errorf("the outcome is %+v", o)
		}
	})
}
