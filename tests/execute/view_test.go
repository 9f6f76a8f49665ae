package execute

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// Browsers stop idle service workers. After a restart the service worker still knows which
// execution a request belongs to.
func TestExecuteOutlivesTheServiceWorker(t *testing.T) {
	t.Parallel()
	g := glass.Start(t)
	sandbox := g.NewSandbox(t, executeFiles, glass.AllScripts)
	v := g.Open(t, "localhost", sandbox)
	begun, ended := make(chan struct{}, 8), make(chan struct{})
	var got *server.Outcome
	go func() {
		defer close(ended)
		var err error
		if got, err = sandbox.Execute(t.Context(), server.Execution{
			ID: "late", Code: `const go = new Promise((resolve) => { new BroadcastChannel('go').onmessage = resolve })
console.log('begun')
await go
export default (await fetch('/data.json?late')).status`,
			Timeout: time.Minute, Watch: func(any) { begun <- struct{}{} },
		}); err != nil {
			t.Error(err)
		}
	}()
	<-begun
	browser.StopServiceWorkers(t, v.Page)
	v.Eval(`() => new BroadcastChannel('go').postMessage('go')`)
	<-ended
	if got == nil || string(got.Result) != "200" || len(got.Verdicts) != 1 || got.Verdicts[0].Execution != "late" || got.ID != "late" {
		t.Errorf("it gave %+v", got)
	}
}

// An execution waits for a view, and ends with the view it runs in. It runs under the newest
// policy and with the newest files, whatever the view was loaded with.
func TestExecuteFollowsTheView(t *testing.T) {
	t.Parallel()
	g := glass.Start(t)
	sandbox := g.NewSandbox(t, executeFiles, glass.BlockAll)
	begun, ended := make(chan struct{}), make(chan *server.Outcome)
	run := func(code string) {
		go func() {
			outcome, err := sandbox.Execute(t.Context(), server.Execution{Code: code, Timeout: time.Minute, Watch: func(any) { begun <- struct{}{} }})
			if err != nil {
				t.Error(err)
			}
			ended <- outcome
		}()
	}
	await := func(what string) *server.Outcome {
		t.Helper()
		select {
		case outcome := <-ended:
			return outcome
		case <-time.After(browser.Patience):
			t.Fatalf("%s: the execution does not end", what)
			return nil
		}
	}
	closed := func(what string) {
		t.Helper()
		if outcome := await(what); outcome.Error == nil || outcome.Error.Code != protocol.FailureViewClosed {
			t.Errorf("%s: it ended with %s, %+v", what, outcome.Result, outcome.Error)
		}
	}

	// The execution begins before there is a view.
	run(`console.log('begun'); for (;;) {}`)
	v := g.Open(t, "localhost", sandbox)
	<-begun
	if _, err := v.Page.Reload(); err != nil {
		t.Fatal(err)
	}
	closed("after a reload of the host page")

	v.WaitState("ready")
	run(`console.log('begun'); for (;;) {}`)
	<-begun
	if err := v.Page.GetByTestId("reload").Click(); err != nil {
		t.Fatal(err)
	}
	closed("after a reload of the view")

	v.WaitState("ready")
	run(`console.log('begun'); export default () => new Promise(() => {})`)
	<-begun
	// The view tries to leave. So it is ended, with everything else of the sandbox.
	if _, err := v.Evaluate(`() => { Event.prototype.preventDefault = () => {}; location.href = 'http://127.0.0.1:9/' }`); err != nil {
		t.Log(err) // the view is gone
	}
	closed("after the view has left")
	v.WaitState("failed")
	if outcome := execute(t, sandbox, server.Execution{Code: `1`}); outcome.Error == nil || outcome.Error.Code != protocol.FailureViewFailed {
		t.Errorf("in a view that has failed it gave %s, %+v", outcome.Result, outcome.Error)
	}
	if err := v.Page.GetByTestId("reload").Click(); err != nil {
		t.Fatal(err)
	}

	// Files and policy are the newest.
	const look = `import { word } from '/word.mjs'
export default async () => {
	let evaluated = true
	try { new Function('return 1')() } catch { evaluated = false }
	return [word, evaluated]
}`
	for i, row := range []struct{ word, policy, want string }{
		{"one", glass.BlockAll, `["one",false]`}, {"two", glass.AllScripts, `["two",true]`}, {"three", glass.BlockAll, `["three",false]`},
	} {
		if _, err := sandbox.SetFiles(g.Files(t, map[string]string{"/word.mjs": "export const word = '" + row.word + "'\n"})); err != nil {
			t.Fatal(err)
		}
		if _, err := sandbox.SetPolicy(glass.Parse(t, row.policy)); err != nil {
			t.Fatal(err)
		}
		got := execute(t, sandbox, server.Execution{Code: look, Args: json.RawMessage(`null`)})
		if got.Error != nil || string(got.Result) != row.want {
			t.Errorf("revision %d: it gave %s, %+v, want %s", i, got.Result, got.Error, row.want)
		}
	}
	run(`console.log('begun'); for (;;) {}`)
	<-begun
	g.Remove(sandbox.ID())
	if outcome := await("after the sandbox was removed"); outcome.Error == nil || outcome.Error.Code != protocol.FailureRemoved {
		t.Errorf("of a removed sandbox it gave %s, %+v", outcome.Result, outcome.Error)
	}
}
