package browser

import (
	"testing"
	"time"

	"github.com/playwright-community/playwright-go"
)

// Patience bounds each wait for a browser, so that one for what never comes ends
// and says what it was. It is far beyond what anything takes, also beside the
// other packages' tests on a slow machine with two cores.
const Patience = 4 * time.Minute

const timeout = float64(Patience / time.Millisecond) // as the driver takes it

// Expect makes assertions that hold as soon as the page is as they say.
func Expect(l playwright.Locator) playwright.LocatorAssertions {
	return playwright.NewPlaywrightAssertions(timeout).Locator(l)
}

// Page opens a page in a browser context of its own, which closes with the
// test. Close the context earlier (page.Context().Close()) to end all its
// connections, as canary.Quiesce wants it.
func (b *Browser) Page(t testing.TB) playwright.Page {
	t.Helper()
	context, err := b.chromium.NewContext()
	if err != nil {
		t.Fatalf("opening a browser context: %v", err)
	}
	context.SetDefaultTimeout(timeout)
	context.SetDefaultNavigationTimeout(timeout)
	log := watch(context)
	keepFrames(context)
	t.Cleanup(func() {
		if t.Failed() {
			keepArtifacts(t, context, log)
		}
		if err := context.Close(); err != nil {
			t.Errorf("closing the browser context: %v", err)
		}
	})
	// Without snapshots: those put a script of the driver's into every frame,
	// and into the sandbox whose containment is under test.
	if err := context.Tracing().Start(); err != nil {
		t.Fatalf("starting the trace: %v", err)
	}
	page, err := context.NewPage()
	if err != nil {
		t.Fatalf("opening a page: %v", err)
	}
	return page
}
