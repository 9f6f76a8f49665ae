package files

import (
	"testing"

	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/glass"
)

// byEach runs a test twice: with the worker, and in a browser without workers, where the
// server itself serves the files. open opens a sandbox's host page. worker is the policy's
// value of the key worker.
func byEach(t *testing.T, test func(t *testing.T, worker string, open func(g *glass.Server, sandbox *server.Sandbox) *glass.View)) {
	for _, row := range []struct {
		name, worker string
		browser      func(testing.TB) *browser.Browser
	}{
		{"worker", "", glass.Chromium},
		{"server", "worker: preferred\n", glass.Workerless},
	} {
		t.Run("by "+row.name, func(t *testing.T) {
			t.Parallel()
			test(t, row.worker, func(g *glass.Server, sandbox *server.Sandbox) *glass.View {
				return g.OpenIn(t, row.browser(t), "localhost", sandbox)
			})
		})
	}
}
