package tests

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/browser"
)

// A line is what stands between a browser and a server: it can be cut, and be
// connected to another server.
type line struct {
	mu     sync.Mutex
	server http.Handler // nil while it is cut
	alive  context.Context
	end    context.CancelFunc
}

// connect cuts what there is and connects the line to the server, or to none.
func (l *line) connect(to http.Handler) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.end != nil {
		l.end()
	}
	l.server = to
	l.alive, l.end = context.WithCancel(context.Background())
}

func (l *line) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	server, alive := l.server, l.alive
	l.mu.Unlock()
	if server == nil {
		panic(http.ErrAbortHandler) // closes the connection without a word
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(alive, cancel)()
	server.ServeHTTP(w, r.WithContext(ctx))
	if alive.Err() != nil {
		panic(http.ErrAbortHandler)
	}
}

// A connection that was cut resumes where it was. A server that was started anew
// has lost its sandboxes, and the page says so, and what to do, whether or not
// somebody reloads it.
func TestConnectionLostAndServerRestarted(t *testing.T) {
	t.Parallel()
	var between line
	g := startGlassBehind(t, func(next http.Handler) http.Handler {
		between.connect(next)
		return &between
	})
	t.Cleanup(func() { between.connect(nil) }) // ends what waits
	sandbox := g.sandbox(t, map[string]string{"/index.html": "<p>there</p>"}, blockAll)
	v := g.open(t, "localhost", sandbox)
	v.waitFor(`[data-testid=connection][data-connected=true]`)

	between.connect(nil)
	v.waitFor(`[data-testid=connection][data-connected=false]`)
	const changes = 3
	for i := range changes {
		if _, err := sandbox.SetFiles(g.files(t, map[string]string{"/index.html": fmt.Sprint(i)})); err != nil {
			t.Fatal(err)
		}
	}
	between.connect(g)
	v.waitFor(`[data-testid=connection][data-connected=true]`)
	if err := browser.Expect(v.page.Locator("[data-testid=revision]")).ToHaveText(fmt.Sprint(1 + changes)); err != nil {
		t.Error(err)
	}
	// Each event is there once, those from before and those of the meantime.
	if err := browser.Expect(v.page.Locator("#network [data-testid=lifecycle]")).ToHaveCount(1 + changes); err != nil {
		t.Error(err)
	}

	anew, err := server.New(server.Config{Port: g.port})
	if err != nil {
		t.Fatal(err)
	}
	between.connect(anew)
	if err := browser.Expect(v.page.GetByTestId("connection")).ToHaveText("Sandbox gone"); err != nil {
		t.Error(err)
	}
	if err := v.page.GetByTestId("reload").Click(); err != nil {
		t.Fatal(err)
	}
	v.waitFor(`[data-testid=state][data-state=failed][data-code=sandbox-gone]`)
	failure := v.page.GetByTestId("failure")
	if err := browser.Expect(failure).ToContainText("The server has no such sandbox any more"); err != nil {
		t.Error(err)
	}
	if err := browser.Expect(failure).ToContainText("open or make it there anew"); err != nil {
		t.Error(err)
	}
}
