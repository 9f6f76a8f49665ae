package compile

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/playwright-community/playwright-go"

	"github.com/bellglass/bellglass/tests/internal/browser"
	"github.com/bellglass/bellglass/tests/internal/glass"
	"github.com/bellglass/bellglass/tests/internal/npm"
	"github.com/bellglass/bellglass/tests/internal/process"
)

// viteParts are Vite and its dependencies.
var viteParts = []string{
	"vite", "rolldown", "@oxc-project/types", "@rolldown/pluginutils", "@rolldown/binding-linux-x64-gnu",
	"lightningcss", "lightningcss-linux-x64-gnu", "detect-libc", "picomatch", "postcss", "nanoid", "picocolors", "source-map-js", "tinyglobby", "fdir",
}

var viteListens = regexp.MustCompile(`Local:\s+\S*?(http://localhost:\d+)`)

// newProject writes a project for Vite, which imports the packages of npm. It returns its folder.
func newProject(t testing.TB, files map[string]string, packages ...string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for _, name := range append(packages, viteParts...) {
		from, err := npm.Dir(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.CopyFS(filepath.Join(dir, "node_modules", filepath.FromSlash(name)), os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
	}
	for path, text := range files {
		writeFile(t, dir, path, text)
	}
	return dir
}

// startVite serves a project by Vite's development server. It returns the address.
func startVite(t testing.TB, dir string) (url string) {
	t.Helper()
	cmd := exec.Command("node", filepath.Join(dir, "node_modules", "vite", "bin", "vite.js"), "--port", "0", "--host", "localhost", "--logLevel", "info")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "NO_COLOR=1", "CI=1")
	server, err := process.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Stop(); err != nil {
			t.Error(err)
		}
	})
	ctx, cancel := context.WithTimeout(t.Context(), browser.Patience)
	defer cancel()
	found, err := server.Await(ctx, viteListens)
	if err != nil {
		t.Fatal(err)
	}
	return found[1]
}

func writeFile(t testing.TB, dir, path, text string) {
	t.Helper()
	name := filepath.Join(dir, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A watched page records the lines that its modules print. The line "updated" or "loaded" ends
// what one change does.
type watched struct {
	t     *testing.T
	lines chan string
}

func watch(t *testing.T, url string) *watched {
	t.Helper()
	w := &watched{t, make(chan string, 1000)}
	page := glass.NewPage(t)
	page.OnConsole(func(m playwright.ConsoleMessage) {
		if line, ok := strings.CutPrefix(m.Text(), "did "); ok {
			w.lines <- line
		}
	})
	if _, err := page.Goto(url); err != nil {
		t.Fatal(err)
	}
	return w
}

// next returns what a change did, sorted: modules that do not wait for each other run in any order.
func (w *watched) next() string {
	w.t.Helper()
	var all []string
	for {
		select {
		case line := <-w.lines:
			if line == "updated" || line == "loaded" {
				slices.Sort(all)
				return strings.Join(append(all, line), "; ")
			}
			all = append(all, line)
		case <-time.After(browser.Patience):
			w.t.Fatalf("the change has not ended; so far the modules did %q", all)
		}
	}
}
