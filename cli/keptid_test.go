package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/server"
)

// ownState gives the test its own state folder, and returns where ids are stored.
func ownState(t *testing.T) string {
	t.Helper()
	home := t.TempDir()
	for _, name := range []string{"HOME", "LocalAppData", "XDG_STATE_HOME"} {
		t.Setenv(name, home)
	}
	state, err := stateHome()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(state, "bellglass", "sandboxes")
}

// A folder has the same sandbox under every name, until a fresh one is requested.
func TestFolderKeepsItsSandbox(t *testing.T) {
	ids := ownState(t)
	parent := t.TempDir()
	t.Chdir(parent)
	for _, name := range []string{"one", "two"} {
		if err := os.Mkdir(name, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("one", "link"); err != nil {
		t.Fatal(err)
	}
	id := func(dir string, fresh bool) string {
		t.Helper()
		id, err := sandboxID(dir, fresh)
		if err != nil || !server.IsID(id) {
			t.Fatalf("%s has the sandbox %q, %v", dir, id, err)
		}
		return id
	}
	one := id("one", false)
	for _, same := range []string{"one", "./one/", "link", filepath.Join(parent, "one")} {
		if got := id(same, false); got != one {
			t.Errorf("%s has the sandbox %s, want %s", same, got, one)
		}
	}
	two := id("two", false)
	if two == one {
		t.Error("two folders have one sandbox")
	}
	fresh := id("link", true)
	if fresh == one || id("one", false) != fresh {
		t.Error("a fresh sandbox is not another one, or is not kept")
	}
	if id("two", false) != two {
		t.Error("a fresh sandbox of one folder changes another's")
	}
	files, err := os.ReadDir(ids)
	if err != nil || len(files) != 2 {
		t.Errorf("the folder of ids holds %v, %v", files, err)
	}
}

// Two programs that start at the same time agree on an id.
func TestFirstServesAgree(t *testing.T) {
	ownState(t)
	dir := t.TempDir()
	ids := make(chan string)
	const serves = 8
	for range serves {
		go func() {
			id, err := sandboxID(dir, false)
			if err != nil {
				id = err.Error()
			}
			ids <- id
		}()
	}
	first := <-ids
	for range serves - 1 {
		if id := <-ids; id != first {
			t.Errorf("the ids are %s and %s", first, id)
		}
	}
}

// A file that others may have read or written is not used, and the error says what to
// do.
func TestKeptIDFailsClosed(t *testing.T) {
	kept := func(t *testing.T, ids string) string {
		files, err := filepath.Glob(filepath.Join(ids, "*.json"))
		if err != nil || len(files) != 1 {
			t.Fatalf("%q, %v", files, err)
		}
		return files[0]
	}
	edit := func(old, replaced string) func(*testing.T, string, string) {
		return func(t *testing.T, ids, _ string) {
			text, err := os.ReadFile(kept(t, ids))
			if err != nil {
				t.Fatal(err)
			}
			write(t, kept(t, ids), strings.Replace(string(text), old, replaced, 1))
		}
	}
	for _, row := range []struct {
		name  string
		spoil func(t *testing.T, ids, id string)
		says  []string
		mends bool // --fresh fixes it
	}{
		{"the file is a link", func(t *testing.T, ids, _ string) {
			name := kept(t, ids)
			if err := errors.Join(os.Rename(name, name+"x"), os.Symlink(name+"x", name)); err != nil {
				t.Fatal(err)
			}
		}, []string{"not a regular file", "--fresh"}, true},
		{"the file is cut off", func(t *testing.T, ids, _ string) { write(t, kept(t, ids), `{"folder`) }, []string{"unexpected end", "--fresh"}, true},
		{"the file is of another folder", edit(`"folder":"`, `"folder":"/another`), []string{"does not hold the id of", "--fresh"}, true},
		{"an invalid id", edit(`"id":"`, `"id":"-`), []string{"does not hold the id of", "--fresh"}, true},
	} {
		t.Run(row.name, func(t *testing.T) { refusesKeptID(t, row.spoil, row.says, row.mends) })
	}
}

func refusesKeptID(t *testing.T, spoil func(t *testing.T, ids, id string), says []string, mends bool) {
	t.Helper()
	ids, dir := ownState(t), t.TempDir()
	before, err := sandboxID(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	spoil(t, ids, before)
	id, err := sandboxID(dir, false)
	if err == nil || id != "" || errors.Is(err, errNotKept) {
		t.Fatalf("the id is %q, %v", id, err)
	}
	for _, part := range append(says, ids) {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q is not in: %v", part, err)
		}
	}
	after, err := sandboxID(dir, true)
	if (err == nil) != mends || after == before {
		t.Errorf("with --fresh it is %q, %v", after, err)
	}
}

// If nothing can be stored, the folder runs all the same.
func TestNowhereToKeepAnID(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, "")
	for _, name := range []string{"HOME", "LocalAppData", "XDG_STATE_HOME"} {
		t.Setenv(name, file)
	}
	if id, err := sandboxID(t.TempDir(), false); id != "" || !errors.Is(err, errNotKept) {
		t.Errorf("the id is %q, %v", id, err)
	}
}
