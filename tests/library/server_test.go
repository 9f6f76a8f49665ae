package library

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"testing"

	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// The server goes away and comes back. In the end the sandbox is gone.
func TestLibrarySurvivesTheServer(t *testing.T) {
	t.Parallel()
	origin := startLibraryPage(t, nil)
	listeners := glass.Listen(t)
	port := listeners[0].Addr().(*net.TCPAddr).Port
	g := glass.New(t, port, func(c *server.Config) { c.Embedders, c.Log = []string{origin}, glass.Quiet })
	run := func(listeners []net.Listener) (stop func()) {
		h := &http.Server{Handler: g}
		ended := make(chan error, len(listeners))
		for _, l := range listeners {
			go func() { ended <- h.Serve(l) }()
		}
		return func() {
			t.Helper()
			if err := h.Close(); err != nil {
				t.Error(err)
			}
			for range listeners {
				if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
					t.Errorf("serving: %v", err)
				}
			}
		}
	}
	stop := run(listeners)
	sandbox := g.NewSandbox(t, talkative("one"), glass.AllScripts)
	page := openLibrary(t, libraryURL(origin, g, patience, sandbox.OuterURL()), "")
	// An event of the view proves that the element is connected.
	var got string
	page.Eval(t, `loaded.then(() => heard('s0', 'console')).then(() => heard('s0', 'ready')).then(() => by('s0').state)`, &got)
	if got != "ready" {
		t.Fatalf("the element is %s", got)
	}
	stop()
	page.Eval(t, `(async () => {
		await heard('s0', 'state', ({ state }) => state === 'disconnected')
		const note = by('s0').shadowRoot.querySelector('[part=note]')
		return by('s0').state + ' ' + note.checkVisibility() + ' ' + note.textContent
	})()`, &got)
	if got != "disconnected true Connection lost. Trying again…" {
		t.Errorf("without the server the element is %s", got)
	}
	// Meanwhile the sandbox changes. The same ports are free again.
	if _, err := sandbox.SetFiles(g.Files(t, talkative("two"))); err != nil {
		t.Fatal(err)
	}
	var again []net.Listener
	for _, l := range listeners {
		back, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		again = append(again, back)
	}
	stop = run(again)
	defer func() { stop() }()
	page.Eval(t, `(async () => {
		const { text } = await heard('s0', 'lifecycle', ({ step }) => step === 'files')
		await heard('s0', 'state', ({ state }) => state === 'ready', log.findIndex(({ detail }) => detail.state === 'disconnected'))
		return by('s0').state + ' ' + by('s0').revision + ' ' + text
	})()`, &got)
	if got != "ready 2 changed /index.html" {
		t.Errorf("with the server back the element is %s", got)
	}

	g.Remove(sandbox.ID())
	page.Eval(t, `(async () => {
		const { code, advice } = await heard('s0', 'error', ({ kind }) => kind === 'failure')
		return code + ' ' + by('s0').state + ' ' + advice.includes('Make a new sandbox')
	})()`, &got)
	if got != "sandbox-gone failed true" {
		t.Errorf("without its sandbox the element is %s", got)
	}
}

// A browser opens six connections to the outer frame's host, and each of the frames would keep
// one. Nevertheless all of them receive the events of their own sandbox, and one more can
// load.
func TestManySandboxesOnOnePage(t *testing.T) {
	t.Parallel()
	const many = 8
	origin := startLibraryPage(t, nil)
	g := glass.Start(t, func(c *server.Config) { c.Embedders = []string{origin} })
	var sandboxes []*server.Sandbox
	var sources []string
	for i := range many {
		sandbox := g.NewSandbox(t, talkative(fmt.Sprint("number ", i)), glass.AllScripts)
		sandboxes, sources = append(sandboxes, sandbox), append(sources, sandbox.OuterURL())
	}
	page := openLibrary(t, libraryURL(origin, g, patience, sources[:many-1]...), "")
	var got []string
	page.Eval(t, fmt.Sprintf(`loaded.then(() => Promise.all(Array.from({ length: %d }, (_, i) => heard('s' + i, 'console').then(({ text }) => text))))`, many-1), &got)
	for i, text := range got {
		if text != fmt.Sprint("I am number ", i) {
			t.Errorf("element %d heard %q", i, text)
		}
	}
	var last string
	page.Eval(t, fmt.Sprintf(`(async () => {
		document.querySelector('main').append(made('last', %q))
		await heard('last', 'ready')
		return (await heard('last', 'console')).text
	})()`, sources[many-1]), &last)
	if last != fmt.Sprint("I am number ", many-1) {
		t.Errorf("the last element heard %q", last)
	}
	// No frame reported that it lost the server, and each one receives new events.
	for _, sandbox := range sandboxes[:many-1] {
		if _, err := sandbox.SetFiles(g.Files(t, map[string]string{"/later.txt": "later"})); err != nil {
			t.Fatal(err)
		}
	}
	var lost []string
	page.Eval(t, fmt.Sprintf(`Promise.all(Array.from({ length: %d }, (_, i) => heard('s' + i, 'lifecycle', ({ step }) => step === 'files')))
		.then(() => log.filter(({ type, detail }) => type === 'state' && detail.state === 'disconnected').map(({ id }) => id))`, many-1), &lost)
	if len(lost) > 0 {
		t.Errorf("these elements report that they lost the server: %q", lost)
	}
}
