package glass

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"testing"

	"github.com/playwright-community/playwright-go"

	"github.com/bellglass/bellglass/tests/internal/browser"
	installed "github.com/bellglass/bellglass/tests/internal/chromium"
	"github.com/bellglass/bellglass/tests/internal/devtools"
	"github.com/bellglass/bellglass/tests/internal/firefox"
	"github.com/bellglass/bellglass/tests/internal/webkit"
)

// The browsers of a test binary. Each starts on first use, so that a test that needs no
// browser runs without one.
var (
	Chromium = Shared(func() (*browser.Browser, error) { return browser.Launch() })
	Firefox  = Shared(func() (*firefox.Browser, error) { return firefox.Launch(context.Background(), firefox.Options{}) })
	WebKit   = Shared(func() (*webkit.Browser, error) { return webkit.Launch(context.Background()) })

	// Workerless is a Chromium with Playwright's own switch, which refuses a service
	// worker to a cross-site frame.
	Workerless = Shared(func() (*browser.Browser, error) { return browser.Launch(installed.WithoutPartitions()) })

	// Unwatched is a Chromium without DevTools attached to a frame or worker, so that these live
	// and end as in a user's browser, and take as long. Package devtools has the figures.
	Unwatched = Shared(func() (*devtools.Browser, error) { return devtools.Launch(context.Background()) })

	cookielessChromium = Shared(func() (*devtools.Browser, error) {
		return devtools.Launch(context.Background(), installed.WithoutCookies)
	})
	cookielessFirefox = Shared(func() (*firefox.Browser, error) {
		return firefox.Launch(context.Background(), firefox.Options{Preferences: map[string]any{"network.cookie.cookieBehavior": 2}})
	})
)

// running is what Main has to close.
var running struct {
	sync.Mutex
	browsers []io.Closer
}

// Shared returns a function that launches a browser on its first call. [Main] closes
// it.
func Shared[B io.Closer](launch func() (B, error)) func(testing.TB) B {
	start := sync.OnceValues(func() (B, error) {
		b, err := launch()
		if err == nil {
			running.Lock()
			defer running.Unlock()
			running.browsers = append(running.browsers, b)
		}
		return b, err
	})
	return func(t testing.TB) B {
		t.Helper()
		b, err := start()
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
}

// Main runs the tests of a package, closes the browsers that they started, and returns
// the exit status.
func Main(m *testing.M) int {
	status := m.Run()
	for _, b := range running.browsers {
		if err := b.Close(); err != nil {
			fmt.Fprintln(os.Stderr, "closing a browser:", err)
			status = max(status, 1)
		}
	}
	return status
}

// NewPage opens a separate page in Chromium for a test.
func NewPage(t testing.TB) playwright.Page {
	t.Helper()
	return Chromium(t).Page(t)
}
