package boot

import (
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/playwright-community/playwright-go"

	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// A view starts again although the browser has not completed its own start. Until its first
// page has loaded, Chromium does not look for a newer worker. Once it has been told to, it
// answers no other registration before it has looked.
func TestStartingBrowserStartsAViewAgain(t *testing.T) {
	t.Parallel()
	loaded := make(chan struct{})
	var outer string
	embedder := glass.ServePage(t, func(r *http.Request) string {
		if r.URL.Path == "/image" {
			select {
			case <-loaded:
			case <-r.Context().Done():
			}
			return ""
		}
		return fmt.Sprintf(`<!doctype html><meta charset="utf-8"><title>Still loading</title><iframe src=%q></iframe><img src="/image" alt="">`, outer)
	})
	looked := make(chan struct{})
	var scripts atomic.Int64 // how often the worker's script was requested
	g := glass.StartBehind(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/.bellglass/sw.js" && scripts.Add(1) == 2 {
				close(looked)
			}
			next.ServeHTTP(w, r)
		})
	}, func(c *server.Config) { c.Embedders = []string{embedder} })
	sandbox := g.NewSandbox(t, glass.RanFiles, glass.AllScripts)
	outer = sandbox.OuterURL()
	// Each browser starts once.
	b, err := browser.Launch()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	page := b.Page(t)
	ran := func(before playwright.Frame) playwright.Frame {
		frame := browser.FrameThat(t, page, "is a new view", func(f playwright.Frame) bool {
			return f != before && f.URL() == sandbox.URL()+"/"
		})
		if text, err := frame.Locator("#word").TextContent(); err != nil || text != "ran" {
			t.Fatalf("the view shows %q, %v", text, err)
		}
		return frame
	}
	if _, err := page.Goto(embedder, playwright.PageGotoOptions{WaitUntil: playwright.WaitUntilStateCommit}); err != nil {
		t.Fatal(err)
	}
	first := ran(nil)
	if _, err := first.Evaluate(`async () => { void (await navigator.serviceWorker.getRegistration()).update() }`); err != nil {
		t.Fatal(err)
	}
	if _, err := page.Reload(playwright.PageReloadOptions{WaitUntil: playwright.WaitUntilStateCommit}); err != nil {
		t.Fatal(err)
	}
	ran(first)
	if n := scripts.Load(); n != 1 {
		t.Errorf("the worker's script was requested %d times, so the browser has looked for a newer one, and this test shows nothing", n)
	}
	close(loaded)
	select {
	case <-looked: // as it was told above
	case <-time.After(browser.Patience):
		t.Error("the browser never looks for a newer worker, so this test shows nothing")
	}
}
