package files

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/server"
	"github.com/bellglass/bellglass/tests/internal/glass"
	"github.com/bellglass/bellglass/vfs"
)

// If a file changes on disk before its revision is replaced, reading its changed part fails.
// The page, the log, and the response say why. The next revision has the new content.
func TestFileThatChangesOnDisk(t *testing.T) {
	t.Parallel()
	const size = 4 << 20
	g := glass.Start(t)
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("index.html", "<!doctype html><title>Disk</title>")
	write("large.txt", strings.Repeat("a", size))
	sandbox, err := g.Create(server.Spec{Name: t.Name(), Files: folderFiles(t, g, dir, vfs.DefaultLimits()), Policy: glass.Parse(t, glass.AllScripts), Entry: "/index.html"})
	if err != nil {
		t.Fatal(err)
	}
	v := g.Open(t, "localhost", sandbox)
	load := func(want string) {
		t.Helper()
		got := v.Eval(`async () => {
			const response = await fetch('/large.txt')
			try {
				const text = await response.text()
				return response.ok ? [response.status, text.length, [...new Set(text)].join('')].join(' ') : [response.status, text].join(' ')
			} catch (error) {
				return [response.status, error.name].join(' ')
			}
		}`)
		if text, _ := got.(string); !strings.Contains(text, want) {
			t.Errorf("the page gets %v, want %s", got, want)
		}
	}
	load("200 4194304 a")
	write("large.txt", strings.Repeat("a", size-1)+"b")
	load("200 TypeError")
	write("large.txt", strings.Repeat("b", size))
	load("503 /large.txt has changed on disk since revision 1 was made")
	g.Log(t, sandbox, func(line glass.Logged) bool { return line.Code == "file-changed" && line.Status == 503 })
	if _, err := sandbox.SetFiles(folderFiles(t, g, dir, vfs.DefaultLimits())); err != nil {
		t.Fatal(err)
	}
	load("200 4194304 b")
}

// folderFiles makes a snapshot of a folder as it is now. Large files stay on disk.
func folderFiles(t testing.TB, g *glass.Server, dir string, limits vfs.Limits) *vfs.Snapshot {
	t.Helper()
	folder, err := vfs.OpenFolder(dir, g.Store(), limits)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	files, err := folder.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	return files
}
