package vfs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// servedSecrets returns the paths of files that contain the word secret.
func servedSecrets(t *testing.T, snap *Snapshot) (paths []string) {
	t.Helper()
	for entry := range snap.Entries() {
		if data, err := fs.ReadFile(snap, entry.Path[1:]); err != nil {
			t.Error(err)
		} else if strings.Contains(string(data), "secret") {
			paths = append(paths, entry.Path)
		}
	}
	return paths
}

// No link exposes what is hidden or outside: neither directly, nor by way of other
// links, nor by way of a folder.
func TestLinksUncoverNothing(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "out")
	writeTree(t, outside, map[string][]byte{"/x": []byte("secret")})
	for name, layOut := range map[string]func(dir string){
		"to a hidden file":               func(dir string) { link(t, dir, ".env", "env.txt") },
		"into a hidden folder":           func(dir string) { link(t, dir, ".git/config", "conf.txt") },
		"to a hidden folder":             func(dir string) { link(t, dir, ".git", "git") },
		"to a folder below a hidden one": func(dir string) { link(t, dir, ".git/hooks", "hooks") },
		"to a hidden file below":         func(dir string) { link(t, dir, "a/.npmrc", "npmrc.txt") },
		"over a link": func(dir string) {
			link(t, dir, "b.txt", "a.txt")
			link(t, dir, ".git/config", "b.txt")
		},
		"over a link to a folder": func(dir string) {
			link(t, dir, "git/config", "a.txt")
			link(t, dir, ".git", "git")
		},
		"over a hidden link": func(dir string) {
			link(t, dir, ".h", "a.txt")
			link(t, dir, "a/.npmrc", ".h")
		},
		"in another folder, upwards": func(dir string) { link(t, dir, "../a/../.git/config", "a/up.txt") },
		"in another spelling":        func(dir string) { link(t, dir, "a/./../.git//config", "a.txt") },
		"absolute":                   func(dir string) { link(t, dir, filepath.Join(dir, ".env"), "env.txt") },
		"outside":                    func(dir string) { link(t, dir, filepath.Join(outside, "x"), "x") },
		"to a folder outside":        func(dir string) { link(t, dir, outside, "x") },
	} {
		t.Run(name, func(t *testing.T) {
			dir := tree(t, map[string][]byte{
				"/index.html": []byte("<p>"), "/.env": []byte("secret"), "/a/.npmrc": []byte("secret"), "/a/b": nil,
				"/.git/config": []byte("secret"), "/.git/hooks/update": []byte("secret"),
			})
			layOut(dir)
			snap, err := openFolder(t, dir, DefaultLimits()).Snapshot()
			if err != nil {
				t.Fatal(err)
			}
			if paths := servedSecrets(t, snap); paths != nil {
				t.Errorf("a link uncovers %q", paths)
			}
			if _, found := snap.Lookup("/index.html"); !found {
				t.Error("the rest of the folder is missing")
			}
		})
	}
}

// A link can replace a file or a folder at any moment before the file is open.
func TestLinksPutInPlaceWhileTheFolderIsRead(t *testing.T) {
	for name, c := range map[string]struct{ at, target string }{
		"of a file":                   {"a/config", "../.git/config"},
		"of a file beside what it is": {"z", ".env"},
		"of its folder":               {"a", ".git"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := tree(t, map[string][]byte{"/.git/config": []byte("secret"), "/.env": []byte("secret"), "/a/config": []byte("plain"), "/z": []byte("plain")})
			f := openFolder(t, dir, DefaultLimits())
			swapped := false
			swap := func() {
				if swapped {
					return
				}
				swapped = true
				must(t, os.Rename(filepath.Join(dir, c.at), filepath.Join(t.TempDir(), "old")))
				link(t, dir, c.target, c.at)
			}
			f.open = func(root *os.Root, name string) (fs.File, error) {
				if c.at != "z" || name == "z" {
					swap()
				}
				return openInRoot(root, name)
			}
			snap, err := f.Snapshot()
			if err != nil {
				t.Fatal(err)
			}
			if paths := servedSecrets(t, snap); paths != nil || !swapped {
				t.Errorf("swapped %v, and the link uncovers %q", swapped, paths)
			}
		})
	}
}

// A link can replace a folder before it is open.
func TestLinkInPlaceOfAFolder(t *testing.T) {
	dir := tree(t, map[string][]byte{"/.git/config": nil})
	link(t, dir, ".git", "a")
	root, err := os.OpenRoot(dir)
	must(t, err)
	defer root.Close()
	if in, err := (place{root: root, name: "."}).enter("a", "/a"); !errors.Is(err, errUnsettled) {
		t.Errorf("the link is entered: %v, %v", in, err)
	}
}

// A link that changes while the folder is watched is checked again.
func TestWatchJudgesLinksAgain(t *testing.T) {
	dir := tree(t, map[string][]byte{"/.git/config": []byte("secret"), "/b": []byte("plain")})
	link(t, dir, "b", "a")
	calls := watching(t, openFolder(t, dir, DefaultLimits()))
	untilFiles(t, calls, map[string][]byte{"/a": []byte("plain"), "/b": []byte("plain")})
	must(t, os.Remove(filepath.Join(dir, "a")))
	link(t, dir, ".git/config", "a")
	untilFiles(t, calls, map[string][]byte{"/b": []byte("plain")})
	must(t, os.Remove(filepath.Join(dir, "a")))
	link(t, dir, "b", "a")
	untilFiles(t, calls, map[string][]byte{"/a": []byte("plain"), "/b": []byte("plain")})
}
