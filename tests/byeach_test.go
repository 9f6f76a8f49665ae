package tests

import (
	"testing"

	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/browser"
	installed "github.com/bellglass/bellglass/tests/internal/chromium"
)

// workerless is a Chromium with Playwright's own switch, which refuses a framed site of
// another origin its worker.
var workerless = shared(func() (*browser.Browser, error) { return browser.Launch(installed.WithoutPartitions()) })

// byEach runs a test once with the worker, and once in a browser that gives none, where
// the server itself serves the files. open opens a sandbox's host page; worker is the
// policy's word on it.
func byEach(t *testing.T, test func(t *testing.T, worker string, open func(g *glass, sandbox *server.Sandbox) *view)) {
	for _, row := range []struct {
		name, worker string
		browser      func(testing.TB) *browser.Browser
	}{
		{"worker", "", chromium},
		{"server", "worker: preferred\n", workerless},
	} {
		t.Run("by "+row.name, func(t *testing.T) {
			t.Parallel()
			test(t, row.worker, func(g *glass, sandbox *server.Sandbox) *view {
				return g.openIn(t, row.browser(t), "localhost", sandbox)
			})
		})
	}
}
