package vfs

import (
	"bytes"
	"errors"
	"io/fs"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"
)

// newStore returns a store with room for every test that is not about room.
func newStore() *Store { return NewStore(1 << 30) }

func mustSnapshot(t testing.TB, files map[string][]byte) *Snapshot {
	t.Helper()
	snap, err := newStore().Snapshot(files, DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	return snap
}

func TestLimits(t *testing.T) {
	exact := Limits{FileSize: 4, TotalSize: 10, Files: 3, PathLength: 6}
	files := map[string][]byte{"/a": []byte("1234"), "/b": []byte("1234"), "/c/d.e": []byte("12")}
	for _, c := range []struct {
		what, path string
		got, max   int64
		limits     Limits
	}{
		{LimitFileSize, "/a", 4, 3, Limits{FileSize: 3, TotalSize: 10, Files: 3, PathLength: 6}},
		{LimitTotalSize, "/c/d.e", 10, 9, Limits{FileSize: 4, TotalSize: 9, Files: 3, PathLength: 6}},
		{LimitFiles, "/c/d.e", 3, 2, Limits{FileSize: 4, TotalSize: 10, Files: 2, PathLength: 6}},
		{LimitPathLength, "/c/d.e", 6, 5, Limits{FileSize: 4, TotalSize: 10, Files: 3, PathLength: 5}},
	} {
		t.Run(c.what, func(t *testing.T) {
			want := LimitError{What: c.what, Path: c.path, Got: c.got, Max: c.max}
			check := func(source string, snap *Snapshot, err error) {
				t.Helper()
				got, ok := errors.AsType[*LimitError](err)
				if ok && source == "Folder" {
					if got.Folder == nil || got.Folder.Files != len(files) {
						t.Errorf("the error says of the folder %+v", got.Folder)
					}
					got.Folder = nil
				}
				if snap != nil || !ok || *got != want {
					t.Errorf("%s = %v, %v, want %v", source, snap, err, &want)
				}
			}
			store := newStore()
			snap, err := store.Snapshot(files, c.limits)
			check("Snapshot", snap, err)
			if contents, size := store.Usage(); contents != 0 || size != 0 || known(store) != 0 {
				t.Errorf("the rejected Snapshot left %d contents in the store; %d are counted, with %d bytes", known(store), contents, size)
			}
			mem := fstest.MapFS{}
			var changes []Change
			for path, data := range files {
				mem[path[1:]] = &fstest.MapFile{Data: data}
				changes = append(changes, Put(path, data))
			}
			snap, err = store.FromFS(mem, c.limits)
			check("FromFS", snap, err)
			empty, err := store.Snapshot(nil, c.limits)
			if err != nil {
				t.Fatal(err)
			}
			snap, err = empty.With(changes...)
			check("With", snap, err)
			if c.what != LimitPathLength { // a folder leaves such a file out
				snap, err = openFolder(t, tree(t, files), c.limits).Snapshot()
				check("Folder", snap, err)
			}
		})
	}

	for source, create := range map[string]func() (*Snapshot, error){
		"Snapshot": func() (*Snapshot, error) { return newStore().Snapshot(files, exact) },
		"Folder":   func() (*Snapshot, error) { return openFolder(t, tree(t, files), exact).Snapshot() },
	} {
		snap, err := create()
		if err != nil {
			t.Errorf("%s at exactly the limits: %v", source, err)
			continue
		}
		// Replacing and deleting make room within the same change.
		if _, err := snap.With(Put("/a", []byte("abcd"))); err != nil {
			t.Errorf("%s, replacing at exactly the limits: %v", source, err)
		}
		if _, err := snap.With(Delete("/a"), Put("/z", []byte("1234"))); err != nil {
			t.Errorf("%s, deleting and putting at exactly the limits: %v", source, err)
		}
	}
	if _, err := newStore().Snapshot(files, Limits{}); err == nil {
		t.Error("the zero Limits allow files")
	}
	if _, err := new(Snapshot).With(Put("/a", nil)); err == nil {
		t.Error("the zero Snapshot can be added to")
	}
}

func TestFileAndFolderOfOneName(t *testing.T) {
	for _, files := range []map[string][]byte{
		{"/a": nil, "/a/b": nil},
		{"/a": nil, "/a-b": nil, "/a.c": nil, "/a/b": nil}, // "-" and "." sort before "/"
		{"/x/a": nil, "/x/a/b/c/d": nil},
	} {
		snap, err := newStore().Snapshot(files, DefaultLimits())
		refused, ok := errors.AsType[*PathError](err)
		if snap != nil || !ok || !strings.HasSuffix(refused.Path, "/a") || !strings.Contains(refused.Reason, "/a/b") {
			t.Errorf("Snapshot(%v) = %v, %v, want a PathError for a and a/b", files, snap, err)
		}
	}
}

func TestSnapshotCopiesItsInput(t *testing.T) {
	data := []byte("before")
	snap := mustSnapshot(t, map[string][]byte{"/a": data})
	copy(data, "AFTER!")
	change := []byte("before")
	next, err := snap.With(Put("/b", change))
	if err != nil {
		t.Fatal(err)
	}
	copy(change, "AFTER!")
	for _, name := range []string{"a", "b"} {
		got, err := next.ReadFile(name)
		if err != nil || string(got) != "before" {
			t.Errorf("%s is %q, %v after the caller wrote to its own bytes", name, got, err)
		}
		copy(got, "AFTER!") // ReadFile's bytes belong to the caller
	}
	if got, err := next.ReadFile("a"); err != nil || string(got) != "before" {
		t.Errorf("a is %q, %v after the caller wrote to what ReadFile returned", got, err)
	}
}

func TestFromFS(t *testing.T) {
	snap, err := newStore().FromFS(fstest.MapFS{
		"a/b.txt": {Data: []byte("1")}, ".hidden": {Data: []byte("2")}, "empty": {Mode: fs.ModeDir},
	}, DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	want := mustSnapshot(t, map[string][]byte{"/a/b.txt": []byte("1"), "/.hidden": []byte("2")})
	if snap.Hash() != want.Hash() {
		t.Errorf("FromFS differs from the map of the same files: %v", Compare(want, snap))
	}

	for name, c := range map[string]struct {
		fsys fs.FS
		path string
	}{
		"pipe":      {fstest.MapFS{"p": {Mode: fs.ModeNamedPipe}}, "/p"},
		"bad name":  {fstest.MapFS{`a\b`: {}}, `/a\b`},
		"forbidden": {forbiddenFS{fstest.MapFS{"x": {Data: []byte("1")}}}, "/x"},
		"reserved":  {fstest.MapFS{".bellglass/sw.js": {}}, "/.bellglass/sw.js"},
	} {
		snap, err := newStore().FromFS(c.fsys, DefaultLimits())
		if refused, ok := errors.AsType[*PathError](err); snap != nil || !ok || refused.Path != c.path {
			t.Errorf("%s: FromFS = %v, %v, want a PathError for %s", name, snap, err, c.path)
		}
	}
}

// forbiddenFS lists files that cannot be opened.
type forbiddenFS struct{ fstest.MapFS }

func (f forbiddenFS) Open(name string) (fs.File, error) {
	if name != "." {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return f.MapFS.Open(name)
}

// known returns how many contents the store has an entry for, including those that the
// garbage collector has not freed yet. It may free some at any time.
func known(s *Store) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.contents)
}

func TestStoreSharesAndForgets(t *testing.T) {
	store := newStore()
	// collected waits until the store has entries for this many contents, or fails the
	// test.
	collected := func(want int) {
		t.Helper()
		for end := time.Now().Add(guard); known(store) != want; runtime.GC() {
			if time.Now().After(end) {
				t.Fatalf("the store knows %d contents, want %d", known(store), want)
			}
		}
	}

	one, err := store.Snapshot(map[string][]byte{"/a": []byte("shared"), "/b": []byte("one's")}, DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	two, err := store.Snapshot(map[string][]byte{"/c": []byte("shared"), "/d": []byte("shared")}, DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	if got := known(store); got != 2 {
		t.Errorf("the store knows %d contents, want 2", got)
	}
	a, _ := one.Lookup("/a")
	fromOne, _ := one.Blob(a.Hash)
	fromTwo, _ := two.Blob(a.Hash)
	if &fromOne.held()[0] != &fromTwo.held()[0] {
		t.Error("equal contents of two snapshots are not the same memory")
	}
	if b, _ := one.Lookup("/b"); func() bool { _, found := two.Blob(b.Hash); return found }() {
		t.Error("a snapshot gives out a content that none of its files has")
	}

	runtime.KeepAlive(one)
	collected(1) // "one's" goes, "shared" stays because of two
	runtime.KeepAlive(two)
	runtime.KeepAlive(fromOne)
	runtime.KeepAlive(fromTwo)
	collected(0)

	again, err := store.Snapshot(map[string][]byte{"/a": []byte("shared")}, DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	blob, _ := again.Blob(a.Hash)
	collected(1)
	runtime.KeepAlive(again)
	collected(1) // a Blob alone keeps its content
	if string(blob.held()) != "shared" {
		t.Errorf("the blob has become %q", blob.held())
	}
	runtime.KeepAlive(blob)
	collected(0)
}

// A content may be freed, and its bytes added again, before the cleanup of the first
// copy has run. The cleanup must not drop the second copy.
func TestForgetKeepsASuccessor(t *testing.T) {
	store := newStore()
	first, err := store.intern("/a", []byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	stale := forgotten{hash: first.hash} // its pointer is dead
	store.forget(stale)
	if again, err := store.intern("/a", []byte("x")); again != first || err != nil {
		t.Errorf("the content is no longer shared after a stale cleanup: %v", err)
	}
}

// If two callers add the same new bytes at the same time, the slower one gets the
// content of the faster one.
func TestStoreSharesBetweenConcurrentCallers(t *testing.T) {
	for round := range 20 {
		store := newStore()
		data := bytes.Repeat([]byte{byte(round)}, 1<<18)
		got := make([]*content, 8)
		var group sync.WaitGroup
		start := make(chan struct{})
		for i := range got {
			group.Go(func() {
				<-start
				var err error
				if got[i], err = store.intern("/a", data); err != nil {
					t.Error(err)
				}
			})
		}
		close(start)
		group.Wait()
		for _, c := range got {
			if c != got[0] {
				t.Fatal("equal contents are held twice")
			}
		}
		if contents, size := store.Usage(); contents != 1 || size != 1<<18+int64(len(got))*(fileCost+2) {
			t.Fatalf("the store counts %d contents, %d bytes", contents, size)
		}
	}
}
