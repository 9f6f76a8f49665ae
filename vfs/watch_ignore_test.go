package vfs

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/fsnotify/fsnotify"
)

// The ignore file is watched like any other, even while it is invalid.
func TestWatchFollowsTheIgnoreFile(t *testing.T) {
	dir, calls := watchedTree(t)
	one := []byte("1")
	writeTree(t, dir, map[string][]byte{"/lib/b": one})
	untilFiles(t, calls, map[string][]byte{"/a": one, "/lib/b": one})
	ignore := func(text string) { writeTree(t, dir, map[string][]byte{"/" + IgnoreFile: []byte(text)}) }
	ignore("lib/\n")
	untilFiles(t, calls, map[string][]byte{"/a": one})
	ignore("lib/\n[z-a]\n")
	untilError(t, calls, "line 2")
	ignore("/a\n")
	untilFiles(t, calls, map[string][]byte{"/lib/b": one})
	writeTree(t, dir, map[string][]byte{"/lib/b": nil})
	untilFiles(t, calls, map[string][]byte{"/lib/b": nil})
	must(t, os.Remove(filepath.Join(dir, IgnoreFile)))
	untilFiles(t, calls, map[string][]byte{"/a": one, "/lib/b": nil})
}

// The operating system watches a limited number of folders.
func TestWatchIgnoresFolders(t *testing.T) {
	dir := tree(t, map[string][]byte{"/sub/a": nil, "/sub/lib/b/c": nil, "/lib/b/c": nil, "/" + IgnoreFile: []byte("lib/\n")})
	w, err := fsnotify.NewWatcher()
	must(t, err)
	defer w.Close()
	f := openFolder(t, dir, DefaultLimits())
	watched := func() []string {
		_, err = f.watchAll(w)
		must(t, err)
		got := w.WatchList()
		slices.Sort(got)
		return got
	}
	want := []string{filepath.Dir(dir), dir, filepath.Join(dir, "sub")}
	if got := watched(); !slices.Equal(got, want) {
		t.Errorf("watched are %q, want %q", got, want)
	}
	// While the file is invalid, its previous patterns stay in force.
	writeTree(t, dir, map[string][]byte{"/" + IgnoreFile: []byte("!\n")})
	if got := watched(); !slices.Equal(got, want) {
		t.Errorf("with a wrong ignore file watched are %q, want %q", got, want)
	}
}
