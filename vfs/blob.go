package vfs

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"sync"
)

// Blob is the immutable content of a file. A Blob in memory stays readable for as long
// as it is referenced, even if its snapshot is gone. A Blob on disk stays readable
// until its file changes. The zero Blob is empty.
type Blob struct{ c *content }

// Size returns the number of bytes.
func (b Blob) Size() int64 {
	if b.c == nil {
		return 0
	}
	return b.c.size()
}

// Bytes returns the whole content. For a content in memory, which includes every
// content of up to [SmallFile] bytes, Bytes never fails and makes no copy: other
// sandboxes share the bytes, so the caller must not change them. A content on disk is
// read, and Bytes fails as [Blob.Open] or [Reader.Read] does.
func (b Blob) Bytes() ([]byte, error) {
	if b.c == nil || b.c.disk == nil {
		return b.held(), nil
	}
	r, err := b.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data := make([]byte, b.Size())
	_, err = io.ReadFull(r, data)
	return data, err
}

// held returns the bytes that are in memory.
func (b Blob) held() []byte {
	if b.c == nil {
		return nil
	}
	return b.c.data
}

// Open returns a new reader at the start of the content. The caller must close it. If
// the content is on disk and its file has visibly changed, Open fails with a
// [*PathError] that wraps [ErrChanged].
func (b Blob) Open() (*Reader, error) {
	r := &Reader{blob: b, loaded: -1}
	if b.c == nil || b.c.disk == nil {
		return r, nil
	}
	var err error
	if r.file, err = b.c.disk.open(); err != nil {
		return nil, err
	}
	r.block = blocks.Get().(*[blockSize]byte)
	return r, nil
}

// blocks is a pool of buffers for readers.
var blocks = sync.Pool{New: func() any { return new([blockSize]byte) }}

// A Reader reads a [Blob]. It reads a content on disk block by block, and verifies each
// block against the snapshot's hash before it returns any byte of it. After a mismatch
// every further Read fails. A Reader is not safe for concurrent use.
type Reader struct {
	blob Blob
	at   int64
	err  error

	file   *os.File // nil for a content in memory
	block  *[blockSize]byte
	loaded int64 // number of the block in the buffer, or -1
	length int   // bytes in the buffer
}

// Read implements [io.Reader].
func (r *Reader) Read(p []byte) (int, error) {
	size := r.blob.Size()
	switch {
	case r.err != nil:
		return 0, r.err
	case r.at >= size:
		return 0, io.EOF
	case r.file == nil:
		n := copy(p, r.blob.held()[r.at:])
		r.at += int64(n)
		return n, nil
	}
	if err := r.Verify(r.at); err != nil {
		return 0, err
	}
	n := copy(p, r.block[r.at%blockSize:r.length])
	r.at += int64(n)
	return n, nil
}

// Verify reads the block that contains offset at. It returns the error that a Read at
// that offset would return.
func (r *Reader) Verify(at int64) error {
	number := at / blockSize
	if r.err != nil || r.file == nil || at < 0 || at >= r.blob.Size() || number == r.loaded {
		return r.err
	}
	r.loaded = -1
	r.length, r.err = r.blob.c.disk.read(r.file, number, r.block)
	if r.err == nil {
		r.loaded = number
	}
	return r.err
}

// Err returns the error that ended reading, or nil.
func (r *Reader) Err() error { return r.err }

// Seek implements [io.Seeker].
func (r *Reader) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekStart:
	case io.SeekCurrent:
		offset += r.at
	case io.SeekEnd:
		offset += r.blob.Size()
	default:
		return 0, errors.New("vfs: Seek with an invalid whence")
	}
	if offset < 0 {
		return 0, errors.New("vfs: Seek to a negative position")
	}
	r.at = offset
	return offset, nil
}

// Close releases the reader's file and buffer. Reading fails afterwards.
func (r *Reader) Close() error {
	if r.block != nil {
		blocks.Put(r.block)
		r.block = nil
	}
	if r.err == nil {
		r.err = fs.ErrClosed
	}
	if r.file == nil {
		return nil
	}
	file := r.file
	r.file = nil
	return file.Close()
}
