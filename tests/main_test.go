// Package tests proves, in a real browser and from outside, that a sandbox does
// what it promises: that it runs what it is given, and that nothing gets out
// which no rule lets out. It starts the server as a user would and looks at it
// over HTTP only. It holds the tests of the repository itself as well.
//
// Where to look:
//
//   - arrows_test.go says which package may import which, with the reasons.
//   - style_test.go and typescript_test.go keep the house style.
//   - everything else opens a page with newPage and does something in it.
//
// What the tests stand on is in tests/internal: browser drives one Chromium
// for the whole test binary, firefox and webkit do the same with theirs, devtools
// drives a Chromium that is attached to no worker, canary records what escaped
// (and alone decides it), apps is the table of real applications that run in a
// sandbox, npm fetches what they consist of. A fresh machine gets what they need
// by `go run ./tests/install`.
//
// Habits: a test of something that is blocked has a positive control, the same
// request arriving without the defence. Nothing sleeps, nothing is skipped,
// nothing goes to the internet.
package tests

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"testing"

	"github.com/playwright-community/playwright-go"

	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/firefox"
	"github.com/bellglass/bellglass/tests/internal/webkit"
)

// The browsers of this test binary. Each starts when the first test asks for it,
// so that a test that needs none runs without one.
var (
	chromium   = shared(func() (*browser.Browser, error) { return browser.Launch() })
	firefoxESR = shared(func() (*firefox.Browser, error) { return firefox.Launch(context.Background()) })
	webKitGTK  = shared(func() (*webkit.Browser, error) { return webkit.Launch(context.Background()) })
)

// running is what TestMain has to close.
var running struct {
	sync.Mutex
	browsers []io.Closer
}

func shared[B io.Closer](launch func() (B, error)) func(testing.TB) B {
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

func TestMain(m *testing.M) {
	code := m.Run()
	for _, b := range running.browsers {
		if err := b.Close(); err != nil {
			fmt.Fprintln(os.Stderr, "closing a browser:", err)
			code = max(code, 1)
		}
	}
	os.Exit(code)
}

// newPage opens a page of its own, in Chromium, for a test.
func newPage(t testing.TB) playwright.Page {
	t.Helper()
	return chromium(t).Page(t)
}
