package vfs

import (
	"bytes"
	"crypto/sha256"
	"runtime"
	"sync"
	"weak"
)

// Store holds each file content once for all snapshots made through it, and bounds how
// many bytes count at once (see [Store.Hold]). It is safe for concurrent use.
//
// Sharing and counting are independent. The store refers to contents weakly: the
// garbage collector frees those that no snapshot and no [Blob] refers to. What counts
// depends on calls of Hold and Release alone, not on the garbage collector.
type Store struct {
	max int64

	mu       sync.Mutex
	contents map[Hash]weak.Pointer[content]
	counted  int   // number of contents that count
	bytes    int64 // number of bytes that count, at most max
}

// content holds bytes that never change, and that the store shares. A content on disk
// has no data and is not in the store: another sandbox could not rely on its file.
type content struct {
	hash Hash
	data []byte
	disk *onDisk // nil for a content in memory
	uses int     // files for which it counts; guarded by the store's mutex
}

func (c *content) size() int64 {
	if c.disk != nil {
		return c.disk.size
	}
	return int64(len(c.data))
}

// memory returns how many bytes c keeps in memory. A content on disk keeps the hashes
// of its blocks.
func (c *content) memory() int64 {
	if c.disk != nil {
		return int64(len(c.disk.blocks) * len(Hash{}))
	}
	return int64(len(c.data))
}

// NewStore returns an empty store in which at most limit bytes count at once. A store of
// 0 bytes accepts no file.
func NewStore(limit int64) *Store {
	return &Store{max: limit, contents: make(map[Hash]weak.Pointer[content])}
}

// intern returns the one content with the bytes of data, and counts it for the file at
// path until uncount is called. It copies data if it has to keep it; the caller may
// reuse data afterwards. If the store is full, intern fails with a [*LimitError] before
// it copies.
func (s *Store) intern(path string, data []byte) (*content, error) {
	hash, size := Hash(sha256.Sum256(data)), int64(len(data))
	s.mu.Lock()
	known := s.contents[hash].Value()
	err := s.count(path, known, size)
	s.mu.Unlock()
	if err != nil || known != nil {
		return known, err
	}
	// Copy outside the lock, so that a large file does not block other sandboxes. If
	// another caller was faster, drop this copy.
	fresh := &content{hash: hash, data: bytes.Clone(data)}
	pointer := weak.Make(fresh)

	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.contents[hash].Value()
	if c == nil {
		c = fresh
		s.contents[hash] = pointer
		runtime.AddCleanup(fresh, s.forget, forgotten{hash, pointer})
	}
	if c.uses > 0 {
		s.bytes -= size // another caller has counted it
	} else {
		s.counted++
	}
	c.uses++
	return c, nil
}

// forgotten identifies a content that the garbage collector has freed.
type forgotten struct {
	hash    Hash
	pointer weak.Pointer[content]
}

// forget drops the entry of a freed content, unless the same bytes have been added
// again meanwhile: then the entry already refers to the new copy.
func (s *Store) forget(f forgotten) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.contents[f.hash] == f.pointer {
		delete(s.contents, f.hash)
	}
}
