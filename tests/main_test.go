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
// for the whole test binary, canary records what escaped (and alone decides
// it), npm holds real applications to run in a sandbox. A fresh machine gets
// what they need by `go run ./tests/install`.
//
// Habits: a test of something that is blocked has a positive control, the same
// request arriving without the defence. Nothing sleeps, nothing is skipped,
// nothing goes to the internet.
package tests

import (
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/playwright-community/playwright-go"

	"github.com/bellglass/bellglass/tests/internal/browser"
)

// launch starts the browser when the first test asks for it, so that a test
// that needs none runs without one.
var launch = sync.OnceValues(func() (*browser.Browser, error) {
	b, err := browser.Launch()
	launched = b
	return b, err
})

// launched is what TestMain has to close; nil when no test asked.
var launched *browser.Browser

func TestMain(m *testing.M) {
	code := m.Run()
	if launched != nil {
		if err := launched.Close(); err != nil {
			fmt.Fprintln(os.Stderr, "closing the browser:", err)
			code = max(code, 1)
		}
	}
	os.Exit(code)
}

// chromium returns the one browser of this test binary.
func chromium(t testing.TB) *browser.Browser {
	t.Helper()
	b, err := launch()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// newPage opens a page of its own for a test.
func newPage(t testing.TB) playwright.Page {
	t.Helper()
	return chromium(t).Page(t)
}
