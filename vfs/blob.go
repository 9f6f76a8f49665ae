package vfs

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"sync"
)

// Blob is one immutable content. It stays readable for as long as it is held,
// whatever becomes of the snapshot it came from, or, if it is on disk, for as long as
// the file there does not change. The zero Blob is empty.
type Blob struct{ c *content }

// Size returns the number of bytes.
func (b Blob) Size() int64 {
	if b.c == nil {
		return 0
	}
	return b.c.size()
}

// Bytes returns the whole content. If that is in memory, as every content of up to
// [SmallFile] bytes is, it never fails, and they are the content itself, not a copy:
// shared with other sandboxes, and only to be read. If it is on disk it is read, and
// the error is that of [Blob.Open] or of the reading.
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

// held returns what is in memory.
func (b Blob) held() []byte {
	if b.c == nil {
		return nil
	}
	return b.c.data
}

// Open returns a reader at the start of the content. Each call returns one of its own,
// which must be closed. It fails if the content is on disk and its file is seen not to
// be the one any more, with a [*PathError] that has [ErrChanged] among its causes.
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

// blocks are buffers that no reader uses.
var blocks = sync.Pool{New: func() any { return new([blockSize]byte) }}

// A Reader reads a [Blob]. Of a content on disk it reads a block at a time, and gives
// out no byte of one before the whole block was found to be the one that the snapshot
// has. When it is not, reading fails then and ever after. It is not safe for concurrent
// use.
type Reader struct {
	blob Blob
	at   int64
	err  error

	file   *os.File // nil for a content in memory
	block  *[blockSize]byte
	loaded int64 // number of the block that is in it, -1 for none
	length int   // of that
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

// Verify reads the block that the byte at an offset is in, and returns what a Read
// there would fail with.
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

// Err returns why reading failed, or nil.
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
		return 0, errors.New("vfs: Seek to no known place")
	}
	if offset < 0 {
		return 0, errors.New("vfs: Seek to before the start")
	}
	r.at = offset
	return offset, nil
}

// Close frees what the reader holds. Reading fails afterwards.
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
