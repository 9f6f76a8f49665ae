package vfs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
)

// guard is how long a test waits for an expected event before it fails. It does not
// measure how long the event should take.
const guard = time.Minute

// told is one call of a Watch's receiver.
type told struct {
	snap *Snapshot
	err  error
}

// watching starts Watch and returns its reports. When the test ends, it stops Watch and
// checks that no report equals the one before it.
func watching(t *testing.T, f *Folder) <-chan told {
	t.Helper()
	calls := make(chan told, 1000)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	var last string
	go func() {
		ended <- f.Watch(ctx, func(snap *Snapshot, err error) {
			now := fmt.Sprint(err)
			if err == nil {
				now = fmt.Sprint(snap.reported())
			} else if snap != nil {
				t.Errorf("Watch tells of a snapshot and an error: %v", err)
			}
			if now == last {
				t.Errorf("Watch tells twice: %s", now)
			}
			last = now
			calls <- told{snap, err}
		})
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("Watch returned %v, want context.Canceled", err)
		}
	})
	return calls
}

// next waits for the next call.
func next[T any](t *testing.T, calls <-chan T) T {
	t.Helper()
	select {
	case c := <-calls:
		return c
	case <-time.After(guard):
		t.Fatal("nothing was reported")
		panic("unreachable")
	}
}

// untilFiles waits until exactly these files are reported.
func untilFiles(t *testing.T, calls <-chan told, files map[string][]byte) {
	t.Helper()
	want := mustSnapshot(t, files)
	for {
		if c := next(t, calls); c.err == nil && c.snap.Hash() == want.Hash() {
			return
		}
	}
}

// untilError waits until an error with this text is reported.
func untilError(t *testing.T, calls <-chan told, says string) {
	t.Helper()
	for {
		if c := next(t, calls); c.err != nil && strings.Contains(c.err.Error(), says) {
			return
		}
	}
}

// untilLeftOut waits until a snapshot is reported that leaves out exactly these paths.
func untilLeftOut(t *testing.T, calls <-chan told, paths ...string) {
	t.Helper()
	for {
		if c := next(t, calls); c.err == nil && slices.EqualFunc(c.snap.LeftOut(), paths, func(left *PathError, path string) bool { return left.Path == path }) {
			return
		}
	}
}

// watchedTree is a watched folder with one file, after the first report.
func watchedTree(t *testing.T) (dir string, calls <-chan told) {
	t.Helper()
	files := map[string][]byte{"/a": []byte("1")}
	dir = tree(t, files)
	calls = watching(t, openFolder(t, dir, DefaultLimits()))
	untilFiles(t, calls, files)
	return dir, calls
}

func TestWatchSeesEveryKindOfChange(t *testing.T) {
	dir, calls := watchedTree(t)
	at := func(name string) string { return filepath.Join(dir, name) }
	write := func(name, data string) { must(t, os.WriteFile(at(name), []byte(data), 0o644)) }
	for _, step := range []struct {
		name string
		do   func()
		want map[string][]byte
	}{
		{"write in place", func() { write("a", "2") }, map[string][]byte{"/a": []byte("2")}},
		{"same size, same time", func() {
			info, err := os.Stat(at("a"))
			must(t, err)
			write("a", "3")
			must(t, os.Chtimes(at("a"), info.ModTime(), info.ModTime()))
		}, map[string][]byte{"/a": []byte("3")}},
		{"atomic save", func() { write(".a.tmp", "4"); must(t, os.Rename(at(".a.tmp"), at("a"))) }, map[string][]byte{"/a": []byte("4")}},
		{"write after an atomic save", func() { write("a", "5") }, map[string][]byte{"/a": []byte("5")}},
		{"new file", func() { write("b", "") }, map[string][]byte{"/a": []byte("5"), "/b": nil}},
		{"rename", func() { must(t, os.Rename(at("b"), at("c"))) }, map[string][]byte{"/a": []byte("5"), "/c": nil}},
		{"remove", func() { must(t, os.Remove(at("c"))) }, map[string][]byte{"/a": []byte("5")}},
		{"new folders", func() { writeTree(t, dir, map[string][]byte{"/d/e/f": nil}) }, map[string][]byte{"/a": []byte("5"), "/d/e/f": nil}},
		{"write in a new folder", func() { write("d/e/f", "6") }, map[string][]byte{"/a": []byte("5"), "/d/e/f": []byte("6")}},
		{"rename a folder", func() { must(t, os.Rename(at("d"), at("g"))) }, map[string][]byte{"/a": []byte("5"), "/g/e/f": []byte("6")}},
		{"write in a renamed folder", func() { write("g/e/f", "7") }, map[string][]byte{"/a": []byte("5"), "/g/e/f": []byte("7")}},
		{"another folder in its place", func() {
			must(t, os.Rename(at("g"), dir+"-old"))
			writeTree(t, dir, map[string][]byte{"/g/h": nil})
		}, map[string][]byte{"/a": []byte("5"), "/g/h": nil}},
		{"write in the other folder", func() { write("g/h", "8") }, map[string][]byte{"/a": []byte("5"), "/g/h": []byte("8")}},
		{"remove a folder", func() { must(t, os.RemoveAll(at("g"))) }, map[string][]byte{"/a": []byte("5")}},
	} {
		t.Log(step.name)
		step.do()
		untilFiles(t, calls, step.want)
	}
}

func TestWatchBurst(t *testing.T) {
	dir, calls := watchedTree(t)
	want := map[string][]byte{}
	for i := range 200 {
		// Some names are written again and again, each time with other bytes.
		path, data := fmt.Sprintf("/d%d/f%d.txt", i%3, i%70), []byte(strings.Repeat("x", i))
		writeTree(t, dir, map[string][]byte{path: data})
		want[path] = data
	}
	must(t, os.Remove(filepath.Join(dir, "a")))
	untilFiles(t, calls, want)
}

func TestWatchLosesNothingBeforeItStarts(t *testing.T) {
	dir := tree(t, map[string][]byte{"/a": []byte("1")})
	f := openFolder(t, dir, DefaultLimits())
	_, err := f.Snapshot()
	must(t, err)
	must(t, os.WriteFile(filepath.Join(dir, "a"), []byte("2"), 0o644))
	calls := watching(t, f)
	if c := next(t, calls); c.err != nil {
		t.Fatal(c.err)
	} else {
		wantFiles(t, c.snap, c.err, map[string][]byte{"/a": []byte("2")})
	}
}

// Watch does not report what the receiver knows: neither the tree that Snapshot
// returned, nor a change that leaves the tree as it was.
func TestWatchIsSilentAboutWhatIsKnown(t *testing.T) {
	dir := tree(t, map[string][]byte{"/a": []byte("1")})
	f := openFolder(t, dir, DefaultLimits())
	looked := make(chan struct{}, 1000)
	f.open = func(root *os.Root, name string) (fs.File, error) {
		looked <- struct{}{}
		return openInRoot(root, name)
	}
	_, err := f.Snapshot()
	must(t, err)
	next(t, looked)
	calls := watching(t, f)
	next(t, looked) // Watch has begun to look at the tree that Snapshot returned
	must(t, os.WriteFile(filepath.Join(dir, ".hidden"), nil, 0o644))
	next(t, looked) // and again, because of the change
	// A file written in place would be empty for a moment, and that state would be
	// reported too.
	must(t, os.WriteFile(filepath.Join(dir, ".a"), []byte("2"), 0o644))
	must(t, os.Rename(filepath.Join(dir, ".a"), filepath.Join(dir, "a")))
	c := next(t, calls)
	wantFiles(t, c.snap, c.err, map[string][]byte{"/a": []byte("2")})
}

func TestWatchAfterAnError(t *testing.T) {
	files := map[string][]byte{"/a": []byte("1")}
	dir := tree(t, files)
	limits := DefaultLimits()
	limits.FileSize = 10
	calls := watching(t, openFolder(t, dir, limits))
	untilFiles(t, calls, files)
	big := filepath.Join(dir, "big")
	must(t, os.WriteFile(big, make([]byte, 11), 0o644))
	untilError(t, calls, `file size over the limit at "/big"`)
	// The tree is as before the error, and is reported all the same.
	must(t, os.Remove(big))
	untilFiles(t, calls, files)
}

// A change of what is left out is reported, like a change of a file.
func TestWatchTellsWhatIsLeftOut(t *testing.T) {
	dir, calls := watchedTree(t)
	bad := filepath.Join(dir, "bad")
	must(t, os.Symlink(os.TempDir(), bad))
	untilLeftOut(t, calls, "/bad")
	must(t, os.Remove(bad))
	untilLeftOut(t, calls)

	// Files listed after a faulty one are watched as well.
	writeTree(t, dir, map[string][]byte{"/zz/y": nil})
	must(t, os.Symlink("y", filepath.Join(dir, "b")))
	untilLeftOut(t, calls, "/b")
	must(t, os.Rename(filepath.Join(dir, "zz/y"), filepath.Join(dir, "y")))
	untilFiles(t, calls, map[string][]byte{"/a": []byte("1"), "/b": nil, "/y": nil})
}

func TestWatchWhileFilesAreBeingWritten(t *testing.T) {
	dir := tree(t, map[string][]byte{"/a": nil})
	f := openFolder(t, dir, DefaultLimits())
	size := int64(0)
	meddle(f, maxAttempts/2, func(name string) { size++; must(t, os.Truncate(filepath.Join(dir, name), size)) })
	calls := watching(t, f)
	// The first report is the state after the last write.
	c := next(t, calls)
	wantFiles(t, c.snap, c.err, map[string][]byte{"/a": make([]byte, maxAttempts/2)})
}

func TestWatchFileThatIsAlwaysWritten(t *testing.T) {
	dir := tree(t, map[string][]byte{"/log": nil})
	f := openFolder(t, dir, DefaultLimits())
	size := int64(0)
	meddle(f, maxAttempts+2, func(name string) { size++; must(t, os.Truncate(filepath.Join(dir, name), size)) })
	calls := watching(t, f)
	untilError(t, calls, `path "/log" is refused: it changed while it was read`)
	untilFiles(t, calls, map[string][]byte{"/log": make([]byte, maxAttempts+2)})
}

func TestWatchFolderRemovedAndMadeAnew(t *testing.T) {
	dir, calls := watchedTree(t)
	must(t, os.RemoveAll(dir))
	untilError(t, calls, "does not exist")
	writeTree(t, dir, map[string][]byte{"/b/c": []byte("2")})
	untilFiles(t, calls, map[string][]byte{"/b/c": []byte("2")})
	must(t, os.Rename(dir, dir+"-old"))
	untilError(t, calls, "does not exist")
	writeTree(t, dir, map[string][]byte{"/d": nil})
	untilFiles(t, calls, map[string][]byte{"/d": nil})

	// The same, when its folder is removed too.
	above := filepath.Dir(dir)
	must(t, os.RemoveAll(above))
	untilError(t, calls, "does not exist")
	writeTree(t, dir, map[string][]byte{"/e": nil})
	untilFiles(t, calls, map[string][]byte{"/e": nil})
}

// Orchestrators publish a new state of several files at once this way: every file is
// reached through one link, in a folder whose name begins with a dot.
func TestWatchLinksThatAreSwapped(t *testing.T) {
	dir := tree(t, map[string][]byte{"/..1/a": []byte("1"), "/..2/a": []byte("2")})
	link(t, dir, "..1", "..data")
	link(t, dir, "..data/a", "a")
	calls := watching(t, openFolder(t, dir, DefaultLimits()))
	untilFiles(t, calls, map[string][]byte{"/a": []byte("1")})
	link(t, dir, "..2", "..tmp")
	must(t, os.Rename(filepath.Join(dir, "..tmp"), filepath.Join(dir, "..data")))
	untilFiles(t, calls, map[string][]byte{"/a": []byte("2")})
	writeTree(t, dir, map[string][]byte{"/..2/a": []byte("3")})
	untilFiles(t, calls, map[string][]byte{"/a": []byte("3")})
}

func TestWatchFolderNamedByALink(t *testing.T) {
	above := tree(t, map[string][]byte{"/1/a": []byte("1"), "/2/a": []byte("2")})
	link(t, above, "1", "now")
	calls := watching(t, openFolder(t, filepath.Join(above, "now"), DefaultLimits()))
	untilFiles(t, calls, map[string][]byte{"/a": []byte("1")})
	link(t, above, "2", "then")
	must(t, os.Rename(filepath.Join(above, "then"), filepath.Join(above, "now")))
	untilFiles(t, calls, map[string][]byte{"/a": []byte("2")})
	writeTree(t, above, map[string][]byte{"/2/b": nil})
	untilFiles(t, calls, map[string][]byte{"/a": []byte("2"), "/b": nil})
}

// A link may name any place on the machine. Events there do not concern the watcher.
func TestWatchStaysInTheFolder(t *testing.T) {
	dir := tree(t, map[string][]byte{"/sub/a": nil, "/.git/b": nil})
	link(t, dir, t.TempDir(), "out")
	link(t, dir, ".git/b", "in")
	w, err := fsnotify.NewWatcher()
	must(t, err)
	defer w.Close()
	_, err = openFolder(t, dir, DefaultLimits()).watchAll(w)
	must(t, err)
	got := w.WatchList()
	slices.Sort(got)
	want := []string{filepath.Dir(dir), dir, filepath.Join(dir, ".git"), filepath.Join(dir, "sub")}
	if !slices.Equal(got, want) {
		t.Errorf("watched are %q, want %q", got, want)
	}
}

func TestCloseEndsWatch(t *testing.T) {
	f := openFolder(t, tree(t, nil), DefaultLimits())
	began := make(chan struct{}, 1)
	ended := make(chan error, 1)
	go func() {
		ended <- f.Watch(t.Context(), func(*Snapshot, error) { began <- struct{}{} })
	}()
	next(t, began)
	must(t, f.Close())
	if err := next(t, ended); !errors.Is(err, os.ErrClosed) {
		t.Errorf("Watch returned %v, want os.ErrClosed", err)
	}
}

// A look that found files in motion is repeated even if no event follows, and the last
// repetition knows that it is the last.
func TestFollowRepeatsAnUnsettledLook(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	arm := func(*fsnotify.Watcher) (interest, error) { return interest{}, nil }
	looks := 0
	err := follow(ctx, nil, arm, func(final bool) bool {
		looks++
		if final != (looks == maxAttempts) {
			t.Errorf("look %d: final is %v", looks, final)
		}
		if final {
			cancel()
		}
		return final
	})
	if !errors.Is(err, context.Canceled) || looks != maxAttempts {
		t.Errorf("follow = %v after %d looks, want %d", err, looks, maxAttempts)
	}
}

// Exceeding the operating system's limit on watches would be slow, so the failure is
// injected where the folders are added.
func TestFollowFailsWhenNothingCanBeWatched(t *testing.T) {
	arm := func(*fsnotify.Watcher) (interest, error) { return interest{}, syscall.ENOSPC }
	err := follow(t.Context(), nil, arm, func(bool) bool {
		t.Error("follow reads a path that it does not watch")
		return true
	})
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "max_user_watches") {
		t.Errorf("follow = %v, want ENOSPC and what to do", err)
	}
}
