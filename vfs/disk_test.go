package vfs

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"testing/iotest"
)

// noise returns bytes that no two blocks share.
func noise(size int) []byte {
	data := make([]byte, size)
	r := rand.NewChaCha8([32]byte{1})
	_, _ = r.Read(data)
	return data
}

// large is the path of a file of several blocks, with a short last block.
const large = "/a/large.bin"

// disk returns a folder with a file that stays on disk, and a snapshot of it.
func disk(t *testing.T, content []byte) (dir string, snap *Snapshot) {
	t.Helper()
	dir = tree(t, map[string][]byte{large: content, "/small": []byte("small"), "/.git/x": content})
	snap, err := openFolder(t, dir, DefaultLimits()).Snapshot()
	must(t, err)
	return dir, snap
}

func blobAt(t *testing.T, snap *Snapshot, path string) Blob {
	t.Helper()
	entry, _ := snap.Lookup(path)
	blob, found := snap.Blob(entry.Hash)
	if !found {
		t.Fatalf("there is no %s", path)
	}
	return blob
}

// A content on disk reads like one in memory, whatever its size.
func TestContentsOnDisk(t *testing.T) {
	for _, size := range []int{0, 1, SmallFile, SmallFile + 1, blockSize - 1, blockSize, blockSize + 1, 3 * blockSize, 3*blockSize + 7} {
		content := noise(size)
		_, snap := disk(t, content)
		blob := blobAt(t, snap, large)
		if onDisk := blob.c.disk != nil; onDisk != (size > SmallFile) || onDisk && blob.held() != nil {
			t.Errorf("%d bytes: on disk %v, and %d bytes in memory", size, onDisk, len(blob.held()))
		}
		inMemory := mustSnapshot(t, map[string][]byte{large: content, "/small": []byte("small")})
		if snap.Hash() != inMemory.Hash() || snap.TotalSize() != inMemory.TotalSize() || !Compare(snap, inMemory).Empty() {
			t.Errorf("%d bytes: the snapshot is another than the one in memory", size)
		}
		must(t, snap.store.Hold(snap))
		if _, got := snap.store.Usage(); size > SmallFile && got != int64(len("small")+2*fileCost+len(large)+len("/small")+(size+blockSize-1)/blockSize*len(Hash{})) {
			t.Errorf("%d bytes on disk count %d bytes in the store", size, got)
		}
		data, err := blob.Bytes()
		if err != nil || !bytes.Equal(data, content) {
			t.Errorf("%d bytes: Bytes = %d bytes, %v", size, len(data), err)
		}
		r, err := blob.Open()
		must(t, err)
		if err := iotest.TestReader(r, content); err != nil {
			t.Errorf("%d bytes: %v", size, err)
		}
		must(t, r.Close())
		if _, err := r.Read(make([]byte, 1)); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("%d bytes: reading after the end of all: %v", size, err)
		}
		if err := fstest.TestFS(snap, large[1:], "small"); err != nil {
			t.Error(err)
		}
		next, err := snap.With(Put("/new", nil))
		if err != nil || next.TotalSize() != snap.TotalSize() {
			t.Fatalf("%d bytes: With = %v, %v", size, next, err)
		}
		if data, err := fs.ReadFile(next, large[1:]); err != nil || !bytes.Equal(data, content) {
			t.Errorf("%d bytes: after With there are %d bytes, %v", size, len(data), err)
		}
	}
}

// A changed file returns its unchanged blocks, and then fails. No byte of another
// content comes out.
func TestContentsOnDiskThatChange(t *testing.T) {
	content := noise(4*blockSize + 100)
	altered := func(at int) []byte {
		data := slices.Clone(content)
		data[at] ^= 1
		return data
	}
	write := func(t *testing.T, dir string, data []byte) {
		writeTree(t, dir, map[string][]byte{large: data})
	}
	at := func(dir string) string { return filepath.Join(dir, filepath.FromSlash(large)) }
	for name, row := range map[string]struct {
		change func(t *testing.T, dir string)
		open   bool // the reader is open before the change
		good   int  // bytes that are returned before the failure
		says   string
	}{
		"nothing":             {func(*testing.T, string) {}, false, len(content), ""},
		"written again":       {func(t *testing.T, dir string) { must(t, os.Remove(at(dir))); write(t, dir, content) }, false, len(content), ""},
		"its folder is moved": {func(t *testing.T, dir string) { must(t, os.Rename(dir, dir+"2")); write(t, dir, content) }, false, len(content), ""},

		"removed":                   {func(t *testing.T, dir string) { must(t, os.Remove(at(dir))) }, false, 0, "gone"},
		"its folder is removed":     {func(t *testing.T, dir string) { must(t, os.RemoveAll(filepath.Dir(at(dir)))) }, false, 0, "gone"},
		"everything is removed":     {func(t *testing.T, dir string) { must(t, os.RemoveAll(dir)) }, false, 0, "its folder cannot be read"},
		"shorter":                   {func(t *testing.T, dir string) { must(t, os.Truncate(at(dir), 2*blockSize)) }, false, 0, "it has 524288 bytes and had 1048676"},
		"empty":                     {func(t *testing.T, dir string) { must(t, os.Truncate(at(dir), 0)) }, false, 0, "it has 0 bytes"},
		"longer":                    {func(t *testing.T, dir string) { write(t, dir, append(slices.Clone(content), 1)) }, false, 0, "1048677 bytes"},
		"other bytes at the start":  {func(t *testing.T, dir string) { write(t, dir, altered(0)) }, false, 0, "between 0 and 262144"},
		"other bytes in the middle": {func(t *testing.T, dir string) { write(t, dir, altered(blockSize)) }, false, blockSize, "between 262144 and 524288"},
		"other bytes at the end":    {func(t *testing.T, dir string) { write(t, dir, altered(4*blockSize+99)) }, false, 4 * blockSize, "between 1048576 and 1048676"},
		"a folder in its place":     {func(t *testing.T, dir string) { must(t, os.Remove(at(dir))); must(t, os.Mkdir(at(dir), 0o755)) }, false, 0, "no file"},
		"a link in its place":       {func(t *testing.T, dir string) { must(t, os.Rename(at(dir), dir+"/b")); link(t, dir, "../b", large) }, false, 0, "cannot be read (path escapes"},
		"a link to its neighbor":    {func(t *testing.T, dir string) { must(t, os.Rename(at(dir), dir+"/a/b")); link(t, dir, "b", large) }, false, 0, "a link, or something else"},
		"a link to a hidden file":   {func(t *testing.T, dir string) { must(t, os.Remove(at(dir))); link(t, dir, "../.git/x", large) }, false, 0, "cannot be read (path escapes"},
		"a link to outside": {func(t *testing.T, dir string) {
			must(t, os.Rename(at(dir), dir+".bin"))
			link(t, dir, dir+".bin", large)
		}, false, 0, "cannot be read"},
		"a link in its folder's":      {func(t *testing.T, dir string) { must(t, os.Rename(dir+"/a", dir+"/.a")); link(t, dir, ".a", "a") }, false, 0, "gone, or another"},
		"while it is read, removed":   {func(t *testing.T, dir string) { must(t, os.RemoveAll(dir)) }, true, len(content), ""},
		"while it is read, shorter":   {func(t *testing.T, dir string) { must(t, os.Truncate(at(dir), 2*blockSize+10)) }, true, 2 * blockSize, "it ends after 524298 bytes"},
		"while it is read, rewritten": {func(t *testing.T, dir string) { write(t, dir, altered(3*blockSize)) }, true, 3 * blockSize, "between 786432 and 1048576"},
	} {
		t.Run(name, func(t *testing.T) {
			dir, snap := disk(t, content)
			blob := blobAt(t, snap, large)
			var r *Reader
			var err error
			if row.open {
				r, err = blob.Open()
				must(t, err)
			}
			row.change(t, dir)
			if !row.open {
				r, err = blob.Open()
			}
			var got []byte
			if err == nil {
				got, err = io.ReadAll(r)
				if r.Err() == nil != (err == nil) {
					t.Errorf("Err = %v after %v", r.Err(), err)
				}
				if _, again := r.Seek(0, io.SeekStart); again == nil && err != nil {
					if n, again := r.Read(make([]byte, 10)); n > 0 || again == nil {
						t.Errorf("after the failure it reads %d bytes, %v", n, again)
					}
				}
				must(t, r.Close())
			}
			if !bytes.Equal(got, content[:row.good]) {
				t.Errorf("%d bytes come out, want the first %d", len(got), row.good)
			}
			refused, ok := errors.AsType[*PathError](err)
			if row.says == "" {
				if err != nil {
					t.Error(err)
				}
			} else if !ok || !errors.Is(err, ErrChanged) || !strings.Contains(refused.Reason, row.says) || refused.Path != large || refused.Hint == "" {
				t.Errorf("the error is %v, want one of %s that says %q", err, large, row.says)
			}
		})
	}
}

// Reading a part of a file reads the blocks that contain it, and no others.
func TestPartsOfContentsOnDisk(t *testing.T) {
	content := noise(4*blockSize + 100)
	dir, snap := disk(t, content)
	writeTree(t, dir, map[string][]byte{large: slices.Concat(make([]byte, blockSize), content[blockSize:3*blockSize], make([]byte, blockSize+100))})
	r, err := blobAt(t, snap, large).Open()
	must(t, err)
	defer r.Close()
	const first, last = blockSize + 10, 3*blockSize - 1
	must(t, r.Verify(first))
	_, err = r.Seek(first, io.SeekStart)
	must(t, err)
	got := make([]byte, last-first+1)
	if _, err := io.ReadFull(r, got); err != nil || !bytes.Equal(got, content[first:last+1]) {
		t.Errorf("the part has changed, %v", err)
	}
	if n, err := r.Read(got); n > 0 || !errors.Is(err, ErrChanged) {
		t.Errorf("the next block gives %d bytes, %v", n, err)
	}
}

// A file that was reached through a link is opened where the link led when it was read.
func TestContentsOnDiskBehindLinks(t *testing.T) {
	content := noise(blockSize)
	dir := tree(t, map[string][]byte{"/..1/v": content, "/..2/v": noise(blockSize + 1)})
	link(t, dir, "..1", "..data")
	link(t, dir, "..data/v", "v")
	snap, err := openFolder(t, dir, DefaultLimits()).Snapshot()
	must(t, err)
	must(t, os.Remove(filepath.Join(dir, "..data")))
	link(t, dir, "..2", "..data")
	if data, err := fs.ReadFile(snap, "v"); err != nil || !bytes.Equal(data, content) {
		t.Errorf("%d bytes, %v", len(data), err)
	}
	must(t, os.RemoveAll(filepath.Join(dir, "..1")))
	if data, err := fs.ReadFile(snap, "v"); data != nil || !errors.Is(err, ErrChanged) {
		t.Errorf("%d bytes, %v", len(data), err)
	}
}

// If only the place of a file has changed, the older snapshot becomes unreadable.
func TestWatchTellsOfAnotherPlace(t *testing.T) {
	content := noise(blockSize)
	dir := tree(t, map[string][]byte{"/..1/v": content, "/..2/v": content})
	link(t, dir, "..1", "..data")
	link(t, dir, "..data/v", "v")
	calls := watching(t, openFolder(t, dir, DefaultLimits()))
	first := next(t, calls)
	must(t, first.err)
	link(t, dir, "..2", "..tmp")
	must(t, os.Rename(filepath.Join(dir, "..tmp"), filepath.Join(dir, "..data")))
	second := next(t, calls)
	must(t, second.err)
	must(t, os.RemoveAll(filepath.Join(dir, "..1")))
	if first.snap.Hash() != second.snap.Hash() || Same(first.snap, second.snap) || !Same(second.snap, second.snap) {
		t.Errorf("the two are the same: %v", Same(first.snap, second.snap))
	}
	if data, err := fs.ReadFile(second.snap, "v"); err != nil || !bytes.Equal(data, content) {
		t.Errorf("%d bytes, %v", len(data), err)
	}
}
