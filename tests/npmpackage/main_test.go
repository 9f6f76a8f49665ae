// Package npmpackage proves that the npm package works where people use it. It packs the
// package, installs the tarball into a project, and runs the code blocks of docs/client.md
// there: through the compiler, in Node.js against a server, and in a page with React.
package npmpackage

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/bellglass/bellglass/tests/internal/glass"
	"github.com/bellglass/bellglass/tests/internal/npm"
	"github.com/bellglass/bellglass/tests/internal/repository"
)

func TestMain(m *testing.M) {
	status := glass.Main(m)
	if packed.dir != "" {
		if err := os.RemoveAll(packed.dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			status = 1
		}
	}
	os.Exit(status)
}

// packed is the tarball, which all tests share.
var packed struct {
	once         sync.Once
	dir, tarball string
	err          error
}

// tarball returns the path of the packed package.
func tarball(t *testing.T) string {
	t.Helper()
	packed.once.Do(func() {
		if packed.dir, packed.err = os.MkdirTemp("", "bellglass-npm-"); packed.err != nil {
			return
		}
		dir := filepath.Join(packed.dir, "package")
		pack := exec.Command("go", "run", "./client/pack", dir)
		pack.Dir = repository.Root(t)
		if out, err := pack.CombinedOutput(); err != nil {
			packed.err = fmt.Errorf("packing: %w\n%s", err, out)
			return
		}
		var name string
		if name, packed.err = npmCommand(dir, "pack", "--silent"); packed.err == nil {
			packed.tarball = filepath.Join(dir, strings.TrimSpace(name))
		}
	})
	if packed.err != nil {
		t.Fatal(packed.err)
	}
	return packed.tarball
}

// npmCommand runs npm without the network.
func npmCommand(dir string, args ...string) (out string, err error) {
	cmd := exec.Command("npm", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "npm_config_offline=true", "npm_config_audit=false", "npm_config_fund=false", "npm_config_update_notifier=false", "npm_config_ignore_scripts=true")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	text, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("npm %s: %w\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return string(text), nil
}

// newProject returns a folder with a project of its own, in which the package is installed.
// Beside it are copies of pinned packages, by name and version.
func newProject(t *testing.T, files map[string]string, packages ...string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	files["package.json"] = `{"name": "project", "private": true, "type": "module"}`
	for name, text := range files {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	if _, err := npmCommand(dir, "install", "--no-save", tarball(t)); err != nil {
		t.Fatal(err)
	}
	for _, name := range packages {
		from, err := npm.Dir(name)
		must(t, err)
		at := strings.LastIndex(name, "@")
		must(t, os.CopyFS(filepath.Join(dir, "node_modules", filepath.FromSlash(name[:at])), os.DirFS(from)))
	}
	return dir
}

// documented returns the only code block of a language below a heading of docs/client.md.
func documented(t *testing.T, heading, language string) string {
	t.Helper()
	_, section, found := strings.Cut("\n"+string(repository.Read(t, "docs/client.md")), "\n## "+heading+"\n")
	section, _, _ = strings.Cut(section, "\n## ")
	_, rest, begun := strings.Cut(section, "\n```"+language+"\n")
	block, after, ended := strings.Cut(rest, "```")
	if !found || !begun || !ended || strings.Contains(after, "\n```") {
		t.Fatalf("docs/client.md does not have one block of %s below %s", language, heading)
	}
	return block
}

// replaced returns a text with every old word replaced, each of which must be there.
func replaced(t *testing.T, text string, pairs ...string) string {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			t.Fatalf("there is no %q in\n%s", pairs[i], text)
		}
		text = strings.ReplaceAll(text, pairs[i], pairs[i+1])
	}
	return text
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
