package cli

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/packages/registrytest"
)

// atRegistry sets the environment of a user whose registry has some packages.
func atRegistry(t *testing.T) *registrytest.Registry {
	t.Helper()
	noSettings(t)
	r := registrytest.New(t)
	r.Publish(t,
		registrytest.Package{Name: "left", Version: "1.0.0", Files: map[string]string{"index.js": "exports.left = 1"}, Manifest: map[string]any{"dependencies": map[string]any{"right": "^2.0.0"}}},
		registrytest.Package{Name: "right", Version: "2.1.0", Files: map[string]string{"index.js": "exports.right = 1"}},
	)
	r.Deprecate("right", "2.1.0", "turn\x1b[31m left")
	t.Setenv("npm_config_registry", r.URL)
	t.Setenv("npm_config_userconfig", filepath.Join(t.TempDir(), "none"))
	t.Setenv("BELLGLASS_PACKAGE_CACHE", t.TempDir())
	return r
}

func TestAdd(t *testing.T) {
	r := atRegistry(t)
	dir := t.TempDir()
	status, out, stderr := run("add", "--dir", dir, "left@1")
	if status != exitOK || out != "left 1.0.0\n" || stderr != "note: right 2.1.0 is deprecated: turn\\u001b[31m left\n" {
		t.Errorf("status %d, standard output %q, standard error %q", status, out, stderr)
	}
	if got := contents(t, filepath.Join(dir, "package.json")); got != "{\n  \"dependencies\": {\n    \"left\": \"^1.0.0\"\n  }\n}\n" {
		t.Errorf("package.json is\n%s", got)
	}
	if lock := contents(t, filepath.Join(dir, "bellglass-lock.json")); !strings.Contains(lock, `"right@2.1.0"`) {
		t.Errorf("the lock is\n%s", lock)
	}

	// In the current folder, offline, for scripts.
	r.Requests()
	t.Chdir(dir)
	status, out, stderr = run("add", "right", "--offline", "--json")
	var document struct {
		Added    []struct{ Name, Range, Version string }
		Packages int
		Notes    []string
	}
	if err := json.Unmarshal([]byte(out), &document); err != nil || status != exitOK || stderr != "" {
		t.Fatalf("status %d, %v, standard error %q", status, err, stderr)
	}
	if len(document.Added) != 1 || document.Added[0].Name != "right" || document.Added[0].Range != "^2.1.0" || document.Added[0].Version != "2.1.0" || document.Packages != 2 || document.Notes == nil {
		t.Errorf("it prints %s", out)
	}
	if status, out, _ := run("add"); status != exitOK || out != "left 1.0.0\nright 2.1.0\n" {
		t.Errorf("without a package: status %d, %q", status, out)
	}
	if asked := r.Requests(); len(asked) > 0 {
		t.Errorf("the registry is asked for %q", asked)
	}
}

// A failure exits with 1, prints nothing on standard output, and writes nothing.
func TestAddProblems(t *testing.T) {
	r := atRegistry(t)
	dir := t.TempDir()
	for _, c := range []struct {
		args string
		says []string
	}{
		{"none", []string{"bellglass: the application needs none@latest", r.URL, "check its name"}},
		{"left@9", []string{"no version", "the newest are 1.0.0"}},
		{"left@file:x", []string{"not a version in a registry"}},
		{"left --registry nonsense", []string{"--registry", `"nonsense"`}},
		{"left --offline", []string{"the versions of left", "without --offline"}},
		{"left --dir " + filepath.Join(dir, "none"), []string{"there is no folder"}},
	} {
		t.Setenv("BELLGLASS_PACKAGE_CACHE", t.TempDir())
		status, out, stderr := run(append([]string{"add", "--dir", dir}, strings.Fields(c.args)...)...)
		if status != exitProblem || out != "" {
			t.Errorf("%s: status %d, standard output %q", c.args, status, out)
		}
		for _, says := range c.says {
			if !strings.Contains(stderr, says) {
				t.Errorf("%s: no %q in %s", c.args, says, stderr)
			}
		}
	}
	if names, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || names != nil {
		t.Errorf("the folder has %q, %v", names, err)
	}
}
