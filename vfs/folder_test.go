package vfs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tree writes files to a new folder and returns the folder.
func tree(t testing.TB, files map[string][]byte) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "site")
	writeTree(t, dir, files)
	return dir
}

func writeTree(t testing.TB, dir string, files map[string][]byte) {
	t.Helper()
	must(t, os.MkdirAll(dir, 0o755))
	for path, data := range files {
		name := filepath.Join(dir, filepath.FromSlash(path))
		must(t, os.MkdirAll(filepath.Dir(name), 0o755))
		must(t, os.WriteFile(name, data, 0o644))
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func openFolder(t testing.TB, dir string, l Limits) *Folder {
	t.Helper()
	f, err := OpenFolder(dir, newStore(), l)
	must(t, err)
	t.Cleanup(func() { must(t, f.Close()) })
	return f
}

// wantFiles checks that a snapshot has exactly these files.
func wantFiles(t *testing.T, snap *Snapshot, err error, files map[string][]byte) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	want := mustSnapshot(t, files)
	if snap.Hash() != want.Hash() {
		t.Errorf("the folder differs from what was written: %+v", Compare(want, snap))
	}
}

func TestFolder(t *testing.T) {
	files := map[string][]byte{"/index.html": []byte("<p>"), "/a/b/c.js": []byte("1"), "/.well-known/x": []byte("2"), "/a/empty": nil}
	dir := tree(t, files)
	// All of this is left out, including names that would be rejected if they were not
	// hidden.
	writeTree(t, dir, map[string][]byte{"/.git/config": nil, "/.env": nil, "/a/.index.html.swp": nil, "/.bellglass/sw.js": nil})
	must(t, os.Symlink("nowhere", filepath.Join(dir, ".#lock")))
	must(t, os.Mkdir(filepath.Join(dir, "no files"), 0o755))
	snap, err := openFolder(t, dir, DefaultLimits()).Snapshot()
	wantFiles(t, snap, err, files)

	t.Chdir(filepath.Dir(dir))
	f := openFolder(t, filepath.Base(dir), DefaultLimits())
	t.Chdir(t.TempDir())
	snap, err = f.Snapshot()
	wantFiles(t, snap, err, files)

	must(t, f.Close())
	must(t, f.Close())
	if _, err := f.Snapshot(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("Snapshot after Close = %v, want os.ErrClosed", err)
	}
	if err := f.Watch(t.Context(), nil); !errors.Is(err, os.ErrClosed) {
		t.Errorf("Watch after Close = %v, want os.ErrClosed", err)
	}
}

func TestOpenFolderRefuses(t *testing.T) {
	dir := tree(t, map[string][]byte{"/file": nil})
	for name, c := range map[string]struct{ dir, says string }{
		"missing": {filepath.Join(dir, "nope"), "does not exist"},
		"file":    {filepath.Join(dir, "file"), "is a file, not a folder"},
		// No file system opens such a name, for any user. Permission bits would not
		// stop a test that runs as root.
		"unreadable": {filepath.Join(dir, strings.Repeat("x", 5000)), "cannot be read"},
	} {
		f, err := OpenFolder(c.dir, newStore(), DefaultLimits())
		if f != nil || err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), c.dir) {
			t.Errorf("%s: OpenFolder = %v, %v, want %q", name, f, err, c.says)
		}
	}
	if _, err := OpenFolder(filepath.Join(dir, "nope"), newStore(), DefaultLimits()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("OpenFolder of a missing folder = %v, want fs.ErrNotExist", err)
	}
}

func TestFolderFollowsLinksInside(t *testing.T) {
	dir := tree(t, map[string][]byte{"/lib/v2/x.js": []byte("x")})
	link(t, dir, "lib/v2", "lib-now")
	link(t, dir, "v2/x.js", "lib/x.js")
	link(t, dir, "../lib/../lib-now/x.js", "a/b.js")
	link(t, dir, ".store/over", "z.js") // by way of a hidden link to a visible file
	link(t, dir, "../lib/v2/x.js", ".store/over")
	snap, err := openFolder(t, dir, DefaultLimits()).Snapshot()
	wantFiles(t, snap, err, map[string][]byte{
		"/lib/v2/x.js": []byte("x"), "/lib-now/x.js": []byte("x"), "/lib/x.js": []byte("x"), "/a/b.js": []byte("x"), "/z.js": []byte("x"),
	})

	// A link may name the folder itself.
	must(t, os.Symlink(dir, dir+"-link"))
	linked, err := openFolder(t, dir+"-link", DefaultLimits()).Snapshot()
	if err != nil || linked.Hash() != snap.Hash() {
		t.Errorf("by a link the folder is %v, %v", linked, err)
	}
}

func link(t *testing.T, dir, target, name string) {
	t.Helper()
	name = filepath.Join(dir, filepath.FromSlash(name))
	must(t, os.MkdirAll(filepath.Dir(name), 0o755))
	must(t, os.Symlink(target, name))
}

// A folder leaves out what cannot be served, with the reason, and serves the rest.
func TestFolderLeavesOut(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secret.txt")
	must(t, os.WriteFile(outside, []byte("secret"), 0o600))
	for name, c := range map[string]struct {
		make       func(t *testing.T, dir string)
		path, says string
	}{
		"link out, relative": {func(t *testing.T, dir string) { link(t, dir, "../"+filepath.Base(dir)+"/index.html", "a") }, "/a", "leads out of the folder"},
		"link out, absolute": {func(t *testing.T, dir string) { link(t, dir, outside, "sub/a") }, "/sub/a", "leads out of the folder"},
		"link out, folder":   {func(t *testing.T, dir string) { link(t, dir, filepath.Dir(outside), "a") }, "/a", "leads out of the folder"},
		"link out over a link": {func(t *testing.T, dir string) {
			link(t, dir, ".b", "a")
			link(t, dir, "../..", ".b")
		}, "/a", "leads out of the folder"},
		"link to itself":    {func(t *testing.T, dir string) { link(t, dir, "a", "a") }, "/a", "round in circles"},
		"links in a circle": {func(t *testing.T, dir string) { link(t, dir, ".b", "a"); link(t, dir, "a", ".b") }, "/a", "round in circles"},
		"link upwards":      {func(t *testing.T, dir string) { link(t, dir, "..", "x/up") }, "/x/up", "round in circles"},
		"link to the top":   {func(t *testing.T, dir string) { link(t, dir, ".", "top") }, "/top", "round in circles"},
		"dangling link":     {func(t *testing.T, dir string) { link(t, dir, "nowhere/at/all", "a") }, "/a", "leads to nothing"},
		"link to what is hidden": {func(t *testing.T, dir string) {
			writeTree(t, dir, map[string][]byte{"/.env": nil})
			link(t, dir, ".env", "a")
		}, "/a", "hidden"},
		"bad file name":   {func(t *testing.T, dir string) { writeTree(t, dir, map[string][]byte{"/a\nb": nil}) }, "/a\nb", "control character"},
		"bad folder name": {func(t *testing.T, dir string) { writeTree(t, dir, map[string][]byte{"/a\\b/c": nil}) }, `/a\b`, "backslash"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := tree(t, map[string][]byte{"/index.html": nil})
			c.make(t, dir)
			wantLeftOut(t, openFolder(t, dir, DefaultLimits()), c.path, c.says)
		})
	}
	t.Run("path too long", func(t *testing.T) {
		limits := DefaultLimits()
		limits.PathLength = 12
		wantLeftOut(t, openFolder(t, tree(t, map[string][]byte{"/index.html": nil, "/a/0123456789": nil}), limits), "/a/0123456789", "13 bytes, more than 12")
	})
}

// wantLeftOut checks that a folder leaves out only this path and has its index.html.
func wantLeftOut(t *testing.T, f *Folder, path, says string) {
	t.Helper()
	snap, err := f.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	left := snap.LeftOut()
	if len(left) != 1 || left[0].Path != path || !strings.Contains(left[0].Reason, says) || left[0].Hint == "" {
		t.Errorf("it leaves out %v, want %q and that says %q", left, path, says)
	}
	if _, found := snap.Lookup("/index.html"); !found || snap.Len() != 1 {
		t.Errorf("it has %d files, want /index.html alone", snap.Len())
	}
}

func TestFolderThatLinksMultiply(t *testing.T) {
	dir := tree(t, map[string][]byte{"/d/index.html": nil})
	for i := range 10 {
		link(t, dir, "d", fmt.Sprintf("to-d-%d", i))
	}
	f := openFolder(t, dir, DefaultLimits())
	f.spread = 12 // the top folder, d, and its ten links
	if _, err := f.Snapshot(); err != nil {
		t.Errorf("Snapshot at exactly the limit: %v", err)
	}
	f.spread = 11
	_, err := f.Snapshot()
	if over, ok := errors.AsType[*LimitError](err); !ok || over.What != LimitFolders || over.Got != 12 || over.Max != 11 {
		t.Errorf("Snapshot = %v, want a LimitError for the folder count", err)
	}
}

// Permission bits do not stop a test that runs as root, so the failure is injected
// where the folder opens its files.
func TestFolderWithUnreadableFile(t *testing.T) {
	f := openFolder(t, tree(t, map[string][]byte{"/a/b.txt": nil, "/index.html": nil}), DefaultLimits())
	f.open = func(root *os.Root, name string) (fs.File, error) {
		if name == "b.txt" {
			return nil, &fs.PathError{Op: "openat", Path: name, Err: fs.ErrPermission}
		}
		return openInRoot(root, name)
	}
	wantLeftOut(t, f, "/a/b.txt", "permission denied")
	// Unreadable files do not count either.
	f.limits.Files = 1
	wantLeftOut(t, f, "/a/b.txt", "permission denied")
}

// meddle calls change while any file is being read, up to the given number of times.
func meddle(f *Folder, times int, change func(name string)) {
	f.open = func(root *os.Root, name string) (fs.File, error) {
		file, err := openInRoot(root, name)
		if err != nil || times == 0 {
			return file, err
		}
		times--
		return &meddled{File: file, change: func() { change(name) }}, nil
	}
}

type meddled struct {
	fs.File
	change func()
}

func (m *meddled) Read(p []byte) (int, error) {
	if m.change != nil {
		m.change()
		m.change = nil
	}
	return m.File.Read(p)
}

func TestFolderThatChangesWhileItIsRead(t *testing.T) {
	for name, c := range map[string]struct {
		change func(t *testing.T, file string)
		want   map[string][]byte
	}{
		"grows":   {func(t *testing.T, file string) { must(t, os.WriteFile(file, []byte("longer than before"), 0o644)) }, map[string][]byte{"/a": []byte("longer than before")}},
		"shrinks": {func(t *testing.T, file string) { must(t, os.Truncate(file, 1)) }, map[string][]byte{"/a": []byte("f")}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := tree(t, map[string][]byte{"/a": []byte("first")})
			f := openFolder(t, dir, DefaultLimits())
			meddle(f, 1, func(name string) { c.change(t, filepath.Join(dir, name)) })
			snap, err := f.Snapshot()
			wantFiles(t, snap, err, c.want)
		})
	}

	t.Run("vanishes", func(t *testing.T) {
		dir := tree(t, map[string][]byte{"/a": nil, "/b": nil})
		f := openFolder(t, dir, DefaultLimits())
		meddle(f, 1, func(string) { must(t, os.Remove(filepath.Join(dir, "b"))) })
		snap, err := f.Snapshot()
		wantFiles(t, snap, err, map[string][]byte{"/a": nil})
	})

	t.Run("folder becomes file", func(t *testing.T) {
		dir := tree(t, map[string][]byte{"/a": nil, "/b/c": nil})
		f := openFolder(t, dir, DefaultLimits())
		f.open = func(root *os.Root, name string) (fs.File, error) {
			if name == "c" { // b has been listed already
				must(t, os.RemoveAll(filepath.Join(dir, "b")))
				must(t, os.WriteFile(filepath.Join(dir, "b"), nil, 0o644))
			}
			return openInRoot(root, name)
		}
		snap, err := f.Snapshot()
		wantFiles(t, snap, err, map[string][]byte{"/a": nil, "/b": nil})
	})

	t.Run("never rests", func(t *testing.T) {
		dir := tree(t, map[string][]byte{"/log": nil})
		f := openFolder(t, dir, DefaultLimits())
		size := int64(0)
		meddle(f, 1000, func(name string) { size++; must(t, os.Truncate(filepath.Join(dir, name), size)) })
		snap, err := f.Snapshot()
		if refused, ok := errors.AsType[*PathError](err); snap != nil || !ok || refused.Path != "/log" || !strings.Contains(err.Error(), "changed while it was read") {
			t.Errorf("Snapshot = %v, %v, want an error that names /log", snap, err)
		}
	})
}
