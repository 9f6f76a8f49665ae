package vfs

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	pathpkg "path"
	"syscall"
)

// SmallFile is the size in bytes up to which a content is always held in memory. A
// [Folder] leaves larger files on disk.
const SmallFile = 64 << 10

// blockSize is how many bytes of a content on disk are read and verified at once. Each
// response that is being sent holds one block in memory. Each block costs 32 bytes for
// its hash.
const blockSize = 256 << 10

// ErrChanged is wrapped by the error for a file on disk that changed after its snapshot
// was made. A reader never returns bytes of the changed file.
var ErrChanged = errors.New("the file changed after its snapshot was made")

// onDisk locates a content that is not held in memory.
type onDisk struct {
	folder string // absolute
	name   string // relative to folder, "a/b.mp4"; no part of it is a link
	size   int64
	blocks []Hash // of each blockSize bytes, in order
}

// intake reads one file at a time. It keeps a small file's bytes, and only the hashes
// of a large one.
type intake struct {
	block  [blockSize]byte
	small  []byte // nil for a large file
	hash   Hash   // of a large file
	blocks []Hash
	size   int64
}

// Reset prepares i for the next file.
func (i *intake) Reset() { i.small, i.hash, i.blocks, i.size = nil, Hash{}, nil, 0 }

// ReadFrom reads a file to its end. The next call overwrites the bytes it keeps.
func (i *intake) ReadFrom(r io.Reader) (int64, error) {
	whole := sha256.New()
	for {
		n, err := io.ReadFull(r, i.block[:])
		i.size += int64(n)
		ended := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		switch {
		case err != nil && !ended:
			return i.size, err
		case i.size <= SmallFile && ended:
			i.small = i.block[:n]
			return i.size, nil
		case n > 0:
			whole.Write(i.block[:n])
			i.blocks = append(i.blocks, sha256.Sum256(i.block[:n]))
		}
		if ended {
			i.hash = Hash(whole.Sum(nil))
			return i.size, nil
		}
	}
}

// changed returns the error for a content whose file has changed.
func (d *onDisk) changed(what string, cause error) error {
	return &PathError{
		Path: "/" + d.name, Reason: "the file changed after it was read: " + what,
		Hint: "load it again once the folder has been read again", Err: errors.Join(ErrChanged, cause),
	}
}

// open opens the file. It follows no link, so that the file is the one at this name, in
// which nothing is hidden.
func (d *onDisk) open() (*os.File, error) {
	top, err := os.OpenRoot(d.folder)
	if err != nil {
		return nil, d.changed("its folder cannot be read ("+innermost(err)+")", err)
	}
	defer top.Close()
	path := "/" + d.name
	in, err := reach(top, pathpkg.Dir(d.name), path)
	if err != nil {
		return nil, d.changed("the folder that it is in is gone, or another", err)
	}
	defer in.root.Close()
	name := pathpkg.Base(d.name)
	f, err := in.root.OpenFile(name, readOnly, 0)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
			return nil, d.changed("it is gone", err)
		}
		return nil, d.changed("it cannot be read ("+innermost(err)+")", err)
	}
	if err := d.check(in, name, f); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// check compares an open file with the snapshot, as far as that needs no reading.
func (d *onDisk) check(in place, name string, f *os.File) error {
	if err := in.holds(name, "/"+d.name, f); err != nil {
		return d.changed("a link, or something else, has taken its place", err)
	}
	info, err := f.Stat()
	switch {
	case err != nil:
		return d.changed("it cannot be read ("+innermost(err)+")", err)
	case !info.Mode().IsRegular():
		return d.changed("something that is no file has taken its place", nil)
	case info.Size() != d.size:
		return d.changed(fmt.Sprintf("it has %d bytes and had %d", info.Size(), d.size), nil)
	}
	return nil
}

// read fills buf with a block and returns its length. It fails if the block is not the
// one that the snapshot was made of.
func (d *onDisk) read(f *os.File, number int64, buf *[blockSize]byte) (int, error) {
	at := number * blockSize
	want := int(min(blockSize, d.size-at))
	n, err := f.ReadAt(buf[:want], at)
	switch {
	case n < want && (err == nil || errors.Is(err, io.EOF)):
		return 0, d.changed(fmt.Sprintf("it ends after %d bytes and had %d", at+int64(n), d.size), nil)
	case n < want:
		return 0, d.changed("it cannot be read ("+innermost(err)+")", err)
	case sha256.Sum256(buf[:want]) != d.blocks[number]:
		return 0, d.changed(fmt.Sprintf("the bytes between %d and %d differ", at, at+int64(want)), nil)
	}
	return want, nil
}
