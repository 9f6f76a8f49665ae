package browser

import (
	"testing"
	"time"

	"github.com/playwright-community/playwright-go"
)

// Patience bounds each wait for a browser, so that a wait for something that never
// happens ends with an error that names it. It is far longer than anything takes, even
// beside other packages' tests on a slow machine with two cores.
const Patience = 4 * time.Minute

const timeout = float64(Patience / time.Millisecond) // in the driver's unit

// Page opens a page in its own browser context, which is closed at the end of the test.
// To close all its connections earlier, as canary.Quiesce needs, close the context
// (page.Context().Close()).
func (b *Browser) Page(t testing.TB) playwright.Page {
	t.Helper()
	opened, err := b.chromium.NewContext()
	if err != nil {
		t.Fatalf("opening a browser context: %v", err)
	}
	opened.SetDefaultTimeout(timeout)
	opened.SetDefaultNavigationTimeout(timeout)
	log := watch(opened)
	keepFrames(opened)
	t.Cleanup(func() {
		if t.Failed() {
			keepArtifacts(t, opened, log)
		}
		if err := opened.Close(); err != nil {
			t.Errorf("closing the browser context: %v", err)
		}
	})
	// Without snapshots: those inject a script of the driver's into every frame,
	// including the sandbox whose containment is under test.
	if err := opened.Tracing().Start(); err != nil {
		t.Fatalf("starting the trace: %v", err)
	}
	page, err := opened.NewPage()
	if err != nil {
		t.Fatalf("opening a page: %v", err)
	}
	return page
}
