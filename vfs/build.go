package vfs

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
)

// Snapshot makes a snapshot of files, whose keys are paths ("/a/b.txt"). The store
// copies bytes that it does not have yet, so the caller may change the slices
// afterwards. Snapshot fails with a [*PathError] or a [*LimitError].
func (s *Store) Snapshot(files map[string][]byte, l Limits) (*Snapshot, error) {
	b := builder{store: s, limits: l}
	defer b.close()
	// Sorted, so that of several faults the same one is always reported.
	paths := slices.Sorted(maps.Keys(files))
	for _, path := range paths {
		if err := b.admit(path, int64(len(files[path]))); err != nil {
			return nil, err
		}
	}
	for _, path := range paths {
		if err := b.add(path, files[path]); err != nil {
			return nil, err
		}
	}
	return b.finish()
}

// FromFS makes a snapshot of all regular files in fsys, for instance of an embed.FS.
// "a/b.txt" becomes "/a/b.txt". Files whose names begin with a dot are kept, because
// the caller chose what is in fsys. Anything that is neither a regular file nor a
// folder is a [*PathError].
//
// For a folder on disk use [OpenFolder] instead: an os.DirFS follows links out of it.
func (s *Store) FromFS(fsys fs.FS, l Limits) (*Snapshot, error) {
	b := builder{store: s, limits: l}
	defer b.close()
	var buf bytes.Buffer
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		path := "/" + name
		if name == "." {
			path = "/"
		}
		switch {
		case err != nil:
			return unreadable(path, err)
		case d.IsDir():
			return nil
		case !d.Type().IsRegular():
			return wrongKind(path, d.Type())
		}
		f, err := fsys.Open(name)
		if err != nil {
			return unreadable(path, err)
		}
		defer f.Close()
		if err := readStable(f, path, b.admit, &buf); err != nil {
			return err
		}
		return b.add(path, buf.Bytes())
	})
	if err != nil {
		return nil, err
	}
	return b.finish()
}

// builder collects the files of one snapshot. Call admit for each file before its bytes
// are read or kept, then add. finish checks what concerns the whole tree. The files
// that add puts in count against the store's limit until close, which must be called.
type builder struct {
	store  *Store
	limits Limits
	nodes  []node
	added  []node // the nodes that add has made
	files  int
	total  int64
}

func (b *builder) admit(path string, size int64) error {
	if err := CheckPath(path, b.limits); err != nil {
		return err
	}
	b.files++
	b.total += size
	switch {
	case b.files > b.limits.Files:
		return &LimitError{What: LimitFiles, Path: path, Got: int64(b.files), Max: int64(b.limits.Files)}
	case size > b.limits.FileSize:
		return &LimitError{What: LimitFileSize, Path: path, Got: size, Max: b.limits.FileSize}
	case b.total > b.limits.TotalSize:
		return &LimitError{What: LimitTotalSize, Path: path, Got: b.total, Max: b.limits.TotalSize}
	}
	return nil
}

// add keeps a copy of the file's bytes. It fails with a [*LimitError] if the store has
// no room for them.
func (b *builder) add(path string, data []byte) error {
	c, err := b.store.intern(path, data)
	return b.keep(path, c, err)
}

// addOnDisk records where the file's bytes are on disk.
func (b *builder) addOnDisk(path string, hash Hash, disk *onDisk) error {
	c := &content{hash: hash, disk: disk}
	return b.keep(path, c, b.store.use(path, c))
}

func (b *builder) keep(path string, c *content, err error) error {
	if err != nil {
		return err
	}
	n := node{path: path, kind: ContentType(path), content: c}
	b.nodes, b.added = append(b.nodes, n), append(b.added, n)
	return nil
}

func (b *builder) close() {
	if b.added != nil {
		b.store.uncount(b.added)
	}
}

func (b *builder) finish() (*Snapshot, error) {
	slices.SortFunc(b.nodes, func(x, y node) int { return strings.Compare(x.path, y.path) })
	snap := newSnapshot(b.store, b.limits, b.nodes, b.total)
	for _, n := range b.nodes {
		if below := snap.below(n.path); below != "" {
			return nil, &PathError{
				Path:   n.path,
				Reason: fmt.Sprintf("it is a file, and also the folder of %s", quote(below)),
				Hint:   "rename one of the two, or delete the file in the same change",
			}
		}
	}
	return snap, nil
}

// rootHash is described at [Snapshot.Hash].
func rootHash(nodes []node) Hash {
	h := sha256.New()
	io.WriteString(h, "bellglass tree 1\n")
	var buf []byte // one Write for each file is several times faster than five
	for _, n := range nodes {
		buf = binary.BigEndian.AppendUint64(buf[:0], uint64(len(n.path)))
		buf = append(buf, n.path...)
		buf = append(buf, n.content.hash[:]...)
		buf = binary.BigEndian.AppendUint64(buf, uint64(len(n.kind)))
		buf = append(buf, n.kind...)
		h.Write(buf)
	}
	return Hash(h.Sum(nil))
}

// errUnsettled marks a failure caused by files that changed while they were read. A
// retry may succeed once they have settled.
var errUnsettled = errors.New("the files changed while they were read")

// A sink receives the contents of a file, as a [bytes.Buffer] does.
type sink interface {
	io.ReaderFrom
	Reset()
}

// readStable reads all of f into a sink, after admit has accepted the file's size. It
// never accepts part of a file: if the size or modification time changed meanwhile,
// readStable fails with errUnsettled.
func readStable(f fs.File, path string, admit func(path string, size int64) error, into sink) error {
	before, err := f.Stat()
	if err != nil {
		return unreadable(path, err)
	}
	if !before.Mode().IsRegular() {
		return wrongKind(path, before.Mode().Type())
	}
	if err := admit(path, before.Size()); err != nil {
		return err
	}
	into.Reset()
	// Read one byte more than the file has, so that growth shows.
	read, err := into.ReadFrom(io.LimitReader(f, before.Size()+1))
	if err != nil {
		return unreadable(path, err)
	}
	after, err := f.Stat()
	if err != nil {
		return unreadable(path, err)
	}
	if read != before.Size() || after.Size() != before.Size() || !after.ModTime().Equal(before.ModTime()) {
		return &PathError{Path: path, Reason: "it changed while it was read", Hint: "wait until whatever writes it has finished", Err: errUnsettled}
	}
	return nil
}

func unreadable(path string, err error) error {
	return &PathError{Path: path, Reason: "it cannot be read (" + innermost(err) + ")", Hint: "check that it still exists and that you may read it", Err: err}
}

// innermost returns why the file system failed, without the path that its error
// repeats.
func innermost(err error) string {
	if inner, ok := errors.AsType[*fs.PathError](err); ok {
		err = inner.Err
	}
	return err.Error()
}

func wrongKind(path string, mode fs.FileMode) error {
	kind := "special file"
	switch {
	case mode&fs.ModeDir != 0:
		kind = "folder"
	case mode&fs.ModeSymlink != 0:
		kind = "symbolic link"
	case mode&fs.ModeNamedPipe != 0:
		kind = "named pipe"
	case mode&fs.ModeSocket != 0:
		kind = "socket"
	case mode&fs.ModeDevice != 0:
		kind = "device"
	}
	return &PathError{Path: path, Reason: "it is a " + kind + ", and only regular files can be served", Hint: "remove it or move it elsewhere"}
}
