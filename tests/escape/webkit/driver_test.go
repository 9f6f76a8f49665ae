package webkit

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/bellglass/bellglass/tests/internal/escaping"
	"github.com/bellglass/bellglass/tests/internal/webkit"
)

// driveWebKit opens pages one after another in a few windows. Each window is a browser of its
// own, and starting one for each page would take most of the time.
func driveWebKit(t testing.TB) (open escaping.Driver, finish func()) {
	t.Helper()
	b, err := webkit.Launch(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	finish = sync.OnceFunc(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(finish)
	w := &windows{suite: t, browser: b}
	return w.tab, finish
}

type windows struct {
	suite   testing.TB
	browser *webkit.Browser

	mu   sync.Mutex
	free []*webkit.Page
}

func (w *windows) tab(t testing.TB, url string) escaping.Tab {
	t.Helper()
	tab := &webKitTab{page: w.take()}
	t.Cleanup(func() { w.giveBack(t, tab) })
	ctx, cancel := context.WithTimeout(t.Context(), loadTime)
	defer cancel()
	if err := tab.page.Go(ctx, url); err != nil {
		tab.spoilt = true
		t.Fatalf("opening %s: %v", url, err)
	}
	return tab
}

// giveBack makes the window blank, because hostile code would otherwise keep running in it. If
// that fails, it closes the window.
func (w *windows) giveBack(t testing.TB, tab *webKitTab) {
	ctx, cancel := context.WithTimeout(context.Background(), blankTime)
	defer cancel()
	if tab.spoilt || tab.page.Go(ctx, "about:blank") != nil {
		if err := tab.page.Close(); err != nil {
			t.Error(err)
		}
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.free = append(w.free, tab.page)
}

func (w *windows) take() *webkit.Page {
	w.mu.Lock()
	defer w.mu.Unlock()
	if n := len(w.free); n > 0 {
		page := w.free[n-1]
		w.free = w.free[:n-1]
		return page
	}
	return w.browser.Open(w.suite, "about:blank")
}

// A webKitTab is spoilt after a gesture. The gesture may have opened a window, after which the
// driver returns from no call.
type webKitTab struct {
	page         *webkit.Page
	spoilt, lost bool
}

// loadTime is how long a page may take to load, and blankTime how long a blank page may take.
// A page whose code blocks its process loads nothing anymore.
const (
	loadTime  = 2 * time.Minute
	blankTime = 2 * time.Second
)

// gestureTime is how long the test waits for a gesture. A gesture takes a few milliseconds or
// never returns.
const gestureTime = 20 * time.Second

func (w *webKitTab) Gesture(t testing.TB, kind string) {
	t.Helper()
	if w.lost {
		return
	}
	w.spoilt = true
	ctx, cancel := context.WithTimeout(t.Context(), gestureTime)
	defer cancel()
	if err := w.page.Perform(ctx, escaping.WebDriverActions(t, kind, escaping.BelowY)); err != nil {
		t.Logf("the driver does not come back from %s, and makes no more gestures here: %v", kind, err)
		w.lost = true
	}
}

func (*webKitTab) Crashed() context.Context { return context.Background() }
