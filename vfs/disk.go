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

// SmallFile is the size in bytes up to which a content is always held in memory. The
// larger ones of a [Folder] stay on disk.
const SmallFile = 64 << 10

// blockSize is how much of a content on disk is read and verified at once. Each
// answer that is being sent holds so much in memory; of a content, 32 bytes are held
// for each block.
const blockSize = 256 << 10

// ErrChanged is among the causes when a file on disk is not the one any more that a
// snapshot was made of. No byte of another content is ever given out.
var ErrChanged = errors.New("the file changed after its snapshot was made")

// onDisk says where a content is that is not held in memory.
type onDisk struct {
	folder string // absolute
	name   string // from there, "a/b.mp4", free of links
	size   int64
	blocks []Hash // of each blockSize bytes, in order
}

// intake reads a file once. What is small it keeps; of the rest it takes the hashes.
type intake struct {
	block  [blockSize]byte
	small  []byte // nil for a large file
	hash   Hash   // of a large file
	blocks []Hash
	size   int64
}

// Reset makes it ready for the next file.
func (i *intake) Reset() { i.small, i.hash, i.blocks, i.size = nil, Hash{}, nil, 0 }

// ReadFrom reads a file to its end. What it keeps is overwritten by the next.
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

// changed is the refusal of a content whose file is not the one any more.
func (d *onDisk) changed(what string, cause error) error {
	return &PathError{
		Path: "/" + d.name, Reason: "it is not the file any more that was read: " + what,
		Hint: "load it again when the folder has been read anew", Err: errors.Join(ErrChanged, cause),
	}
}

// open opens the file, by the way on which it was read: no link is followed, so that
// the name, in which nothing is hidden, is that of what is opened.
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

// check finds out what can be seen of an open file without reading it.
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

// read fills the buffer with a block, of which it returns the length. It fails
// unless that is the block that was read.
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
		return 0, d.changed(fmt.Sprintf("other bytes stand between %d and %d", at, at+int64(want)), nil)
	}
	return want, nil
}
