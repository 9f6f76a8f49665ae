package browser

import (
	"testing"

	"github.com/playwright-community/playwright-go"
)

// timeout bounds each wait of the driver, in milliseconds.
const timeout = 30_000

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
