package vfs

import (
	"bytes"
	"crypto/sha256"
	"runtime"
	"sync"
	"weak"
)

// Store holds file contents once each, for all snapshots made through it, and bounds
// how much of them counts at once (see [Store.Hold]). It is safe for concurrent use.
//
// What is shared and what counts are two things. The store refers to contents weakly:
// what no snapshot and no [Blob] refers to any more is collected, without anybody
// having to say so. What counts is said, and does not depend on the garbage collector.
type Store struct {
	max int64

	mu       sync.Mutex
	contents map[Hash]weak.Pointer[content]
	counted  int   // contents that count
	bytes    int64 // what counts, at most max
}

// content is what the store shares: bytes that are never written to again. One that is
// on disk has no data, and the store knows nothing of it: another sandbox could not
// rely on that file.
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

// memory is how many bytes it keeps in memory. Of a content on disk these are the
// hashes of its blocks.
func (c *content) memory() int64 {
	if c.disk != nil {
		return int64(len(c.disk.blocks) * len(Hash{}))
	}
	return int64(len(c.data))
}

// NewStore returns an empty store, in which at most so many bytes count at once. One
// of 0 bytes takes no file.
func NewStore(max int64) *Store {
	return &Store{max: max, contents: make(map[Hash]weak.Pointer[content])}
}

// intern returns the one content with the bytes of data, and counts it for the file
// at path, until forgo is called. It copies data if it has to keep it; the caller may
// reuse data afterwards. It fails with a [*LimitError] before it copies.
func (s *Store) intern(path string, data []byte) (*content, error) {
	hash, size := Hash(sha256.Sum256(data)), int64(len(data))
	s.mu.Lock()
	known := s.contents[hash].Value()
	err := s.count(path, known, size)
	s.mu.Unlock()
	if err != nil || known != nil {
		return known, err
	}
	// The copy is made outside the lock, so that a large file does not hold up
	// the other sandboxes. If another caller was quicker, ours is dropped.
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
		s.bytes -= size // it counts already
	} else {
		s.counted++
	}
	c.uses++
	return c, nil
}

// forgotten names a content that the garbage collector has taken.
type forgotten struct {
	hash    Hash
	pointer weak.Pointer[content]
}

// forget drops the entry of a collected content, unless the same bytes have come
// back in the meantime: then the entry already points at the new copy.
func (s *Store) forget(f forgotten) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.contents[f.hash] == f.pointer {
		delete(s.contents, f.hash)
	}
}
