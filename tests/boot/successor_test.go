package boot

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/command"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// keeper is the script of a page that reports what an earlier load stored, and then stores a
// word.
const keeper = `(async () => {
	const done = (request) => new Promise((resolve, reject) => {
		request.onsuccess = () => resolve(request.result)
		request.onerror = () => reject(request.error)
	})
	const opening = indexedDB.open('kept')
	opening.onupgradeneeded = () => opening.result.createObjectStore('words')
	const db = await done(opening)
	const words = () => db.transaction('words', 'readwrite').objectStore('words')
	const found = [localStorage.getItem('word'), await done(words().get('word'))].join(' ')
	localStorage.setItem('word', 'stored')
	await done(words().put('stored', 'word'))
	document.body.append(Object.assign(document.createElement('p'), { id: 'found', textContent: 'found: ' + found }))
	console.log('found: ' + found)
})()`

const keeperPage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Keeper</title><body><script src="/keeper.js"></script>`

const (
	foundNothing = "found:  "
	foundAll     = "found: stored stored"
)

// An open page connects to the next server by itself. With the same ID, the sandbox has what
// its pages stored. With another ID, the control, it does not.
func TestPageFollowsTheNextServer(t *testing.T) {
	t.Parallel()
	for engine, open := range glass.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			var between glass.Line
			g := glass.StartBehind(t, func(next http.Handler) http.Handler {
				between.Connect(next)
				return &between
			})
			t.Cleanup(func() { between.Connect(nil) })
			first := server.NewID()
			for i, row := range []struct{ id, finds string }{
				{first, foundNothing},
				{first, foundAll},
				{server.NewID(), foundNothing},
			} {
				if i > 0 {
					g = glass.New(t, g.Port)
				}
				sandbox, err := g.Create(server.Spec{ID: row.id, Files: g.Files(t, map[string]string{"/index.html": keeperPage, "/keeper.js": keeper}), Keep: true})
				if err != nil {
					t.Fatal(err)
				}
				between.Connect(g)
				if i == 0 {
					open(t, fmt.Sprintf("http://localhost:%d/", g.Port))
				}
				if got := firstWord(t, sandbox); got != row.finds {
					t.Fatalf("on server %d the page says %q, want %q", i+1, got, row.finds)
				}
			}
		})
	}
}

// firstWord waits for the first line that a page of the sandbox writes to its console.
func firstWord(t *testing.T, sandbox *server.Sandbox) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), browser.Patience)
	defer cancel()
	for event, err := range sandbox.Events(ctx, server.EventFilter{}, 0) {
		if err != nil {
			t.Fatalf("the page says nothing: %v", err)
		}
		if line, is := event.(protocol.ConsoleEvent); is {
			return line.Text
		}
	}
	t.Fatal("the events end")
	return ""
}

// The same holds for the program, which keeps the ID of a folder's sandbox.
func TestServeIsStartedAgain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{"index.html": keeperPage, "keeper.js": keeper} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := command.Start(t, "serve", dir, "--addr", "127.0.0.1:0")
	v := openPrinted(t, run)
	found := v.Page.FrameLocator("#view iframe").FrameLocator("iframe").Locator("#found")
	_, port, _ := strings.Cut(strings.TrimPrefix(v.Page.URL(), "http://"), ":")
	addr := "127.0.0.1:" + strings.TrimSuffix(port, "/")
	for _, row := range []struct {
		args  []string // nil if it runs already
		finds string
	}{
		{nil, foundNothing},
		{[]string{"serve", dir, "--addr", addr}, foundAll},
		{[]string{"serve", dir, "--addr", addr, "--fresh"}, foundNothing},
	} {
		if row.args != nil {
			run.End(t)
			v.WaitFor(`[data-testid=connection][data-connected=false]`)
			run = command.Start(t, row.args...)
			// The driver fails on a frame that goes away while it is inspected.
			v.WaitFor(`[data-testid=connection][data-connected=true]`)
		}
		if err := browser.Expect(found).ToHaveText(strings.TrimSpace(row.finds)); err != nil {
			t.Fatalf("after %q: %v", row.args, err)
		}
	}
}
