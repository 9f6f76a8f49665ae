package boot

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/playwright-community/playwright-go"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/canary"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// A busy document, and a document without a client script that could answer, do not count as
// crashed. If a document's process has ended, the view and the executions say so, and the next
// execution runs.
func TestCrashIsNoticed(t *testing.T) {
	t.Parallel()
	birds := canary.Start(t)
	answer := func(status int) {
		birds.Answer("/busy/until", canary.Answer{Status: status, Header: http.Header{"Access-Control-Allow-Origin": {"*"}}})
	}
	answer(http.StatusAccepted)
	g := glass.Start(t)
	files := map[string]string{"/index.html": "<!doctype html><title>Busy</title>", "/plain.txt": "text"}
	sandbox := g.NewSandbox(t, files, glass.AllScripts+"rules:\n  - allow: "+birds.URL("busy", "/")+"**\n")
	mute := g.Open(t, "localhost", g.NewSandbox(t, files, glass.AllScripts))
	mute.Eval(`() => { location = '/plain.txt' }`)
	v := g.Open(t, "localhost", sandbox)
	outer := browser.Frame(t, v.Page, sandbox.OuterURL())
	other := outer.Locator("iframe[hidden]")

	v.Eval(`() => { setTimeout(() => {
		for (;;) {
			const request = new XMLHttpRequest()
			request.open('GET', '` + birds.URL("busy", "/until") + `', false)
			request.send()
			if (request.status === 200) return console.log('free')
		}
	}) }`)
	attached := playwright.LocatorWaitForOptions{State: playwright.WaitForSelectorStateAttached}
	if err := other.WaitFor(attached); err != nil {
		t.Fatalf("nothing looks after a document that does not answer: %v", err)
	}
	answer(http.StatusOK)
	g.Log(t, sandbox, func(event glass.Logged) bool { return event.Text == "free" })
	if err := other.WaitFor(playwright.LocatorWaitForOptions{State: playwright.WaitForSelectorStateDetached}); err != nil {
		t.Error(err)
	}
	v.WaitState("ready")
	mute.WaitState("ready")

	begun, ended := make(chan struct{}), make(chan *server.Outcome)
	go func() {
		outcome, err := sandbox.Execute(t.Context(), server.Execution{Code: "console.log('begun'); await new Promise(() => {})", Timeout: time.Minute, Watch: func(any) { begun <- struct{}{} }})
		if err != nil {
			t.Error(err)
		}
		ended <- outcome
	}()
	<-begun
	session, err := v.Page.Context().NewCDPSession(v.Frame())
	if err != nil {
		t.Fatal(err)
	}
	go session.Send("Page.crash", nil) // this call never gets an answer
	if outcome := <-ended; outcome == nil || outcome.Error == nil || outcome.Error.Code != protocol.FailureCrashed {
		t.Errorf("the execution gave %+v", outcome)
	}
	// The driver treats the whole page as crashed. It still evaluates scripts, but its locators fail.
	if _, err := glass.Evaluate(outer, `() => new Promise((done) => {
		const code = document.getElementById('code')
		const look = () => { if (code.textContent === 'crashed' && code.checkVisibility()) done() }
		new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true })
		look()
	})`); err != nil {
		t.Error(err)
	}
	outcome, err := sandbox.Execute(t.Context(), server.Execution{Code: "export default 40 + 2", Timeout: time.Minute})
	if err != nil || outcome.Error != nil || !json.Valid(outcome.Result) || string(outcome.Result) != "42" {
		t.Errorf("the next execution gave %+v, %v", outcome, err)
	}
}

// A warm view opens its entry even if the browser has ended the process in which it waited.
func TestWarmViewOutlivesItsProcess(t *testing.T) {
	t.Parallel()
	g := glass.Start(t)
	warm, err := g.Warm(glass.Parse(t, glass.AllScripts), 1)
	if err != nil {
		t.Fatal(err)
	}
	page := glass.NewPage(t)
	crashed := make(chan struct{}, 10)
	page.OnCrash(func(playwright.Page) { crashed <- struct{}{} })
	if _, err := page.Goto(warm[0].HostURL()); err != nil {
		t.Fatal(err)
	}
	glass.NewView(t, page, warm[0].URL()).WaitState("warm")
	session, err := page.Context().NewCDPSession(browser.Frame(t, page, warm[0].URL()))
	if err != nil {
		t.Fatal(err)
	}
	go session.Send("Page.crash", nil) // this call never gets an answer
	<-crashed
	if _, err := warm[0].Fill(server.Filling{Files: g.Files(t, glass.RanFiles)}); err != nil {
		t.Fatal(err)
	}
	g.Log(t, warm[0], func(event glass.Logged) bool { return event.Text == "code ran" })
}
