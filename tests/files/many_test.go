package files

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/bellglass/bellglass/protocol"
	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/glass"
	"github.com/bellglass/bellglass/vfs"
)

// A folder of 33,000 files, like a project with its packages, is one state for the worker.
// That is some 5 MB, which the worker gets whole with each revision.
func TestManyFiles(t *testing.T) {
	t.Parallel()
	const packages, each = 330, 100
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for i := range packages {
		if err := os.MkdirAll(filepath.Join(dir, fmt.Sprintf("node_modules/package-%d", i)), 0o755); err != nil {
			t.Fatal(err)
		}
		for j := range each {
			write(fmt.Sprintf("node_modules/package-%d/module-%d.js", i, j), fmt.Sprintf("export const n = %d", i*each+j))
		}
	}
	page := func(text string) {
		t.Helper()
		write("index.html", fmt.Sprintf(`<!doctype html><script type="module">
			import { n } from '/node_modules/package-%d/module-%d.js'
			console.log(%q, n)
		</script>`, packages-1, each-1, text))
	}
	page("before")
	g := glass.Start(t)
	limits := vfs.DefaultLimits()
	limits.Files = packages*each + 1
	before := folderFiles(t, g, dir, limits)
	page("after")
	after := folderFiles(t, g, dir, limits)
	for name, open := range glass.Engines {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sandbox, err := g.Create(server.Spec{Name: t.Name(), Files: before, Policy: glass.Parse(t, glass.AllScripts)})
			if err != nil {
				t.Fatal(err)
			}
			shown := open(t, sandbox.HostURL())
			ctx, cancel := context.WithTimeout(t.Context(), browser.Patience)
			defer cancel()
			for event, err := range sandbox.Events(ctx, server.EventFilter{}, 0) {
				if err != nil {
					t.Fatal(err)
				}
				line, said := event.(protocol.ConsoleEvent)
				if said && line.Text == "after 32999" {
					return
				}
				if said && line.Text != "before 32999" {
					t.Fatalf("the page says %s", line.Text)
				}
				if said {
					if _, err := sandbox.SetFiles(after); err != nil {
						t.Fatal(err)
					}
					var done bool
					shown.Eval(t, `(document.querySelector('[data-testid=reload]').click(), true)`, &done)
				}
			}
			t.Error("the page with the change says nothing")
		})
	}
}
