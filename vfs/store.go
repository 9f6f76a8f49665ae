package vfs

import (
	"bytes"
	"crypto/sha256"
	"runtime"
	"sync"
	"weak"
)

// Store holds file contents once each, for all snapshots made through it. It is
// safe for concurrent use. It refers to contents weakly: what no snapshot and no
// [Blob] refers to any more is collected, without anybody having to say so.
type Store struct {
	mu       sync.Mutex
	contents map[Hash]weak.Pointer[content]
	bytes    int64
}

// content is what the store shares: bytes that are never written to again. One that is
// on disk has no data, and the store knows nothing of it: another sandbox could not
// rely on that file.
type content struct {
	hash Hash
	data []byte
	disk *onDisk // nil for a content in memory
}

func (c *content) size() int64 {
	if c.disk != nil {
		return c.disk.size
	}
	return int64(len(c.data))
}

// NewStore returns an empty store.
func NewStore() *Store {
	return &Store{contents: make(map[Hash]weak.Pointer[content])}
}

// Usage returns how many different contents the store holds and how many bytes
// they have together. A content that nobody refers to any more is counted until
// the garbage collector has found it.
func (s *Store) Usage() (contents int, bytes int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.contents), s.bytes
}

// intern returns the one content with the bytes of data, which it copies if it
// has to keep them; the caller may reuse data afterwards.
func (s *Store) intern(data []byte) *content {
	hash := Hash(sha256.Sum256(data))
	if c := s.find(hash); c != nil {
		return c
	}
	// The copy is made outside the lock, so that a large file does not hold up
	// the other sandboxes. If another caller was quicker, ours is dropped.
	fresh := &content{hash: hash, data: bytes.Clone(data)}
	pointer := weak.Make(fresh)

	s.mu.Lock()
	defer s.mu.Unlock()
	old, known := s.contents[hash]
	if known {
		if c := old.Value(); c != nil {
			return c
		}
	} else {
		s.bytes += int64(len(data))
	}
	s.contents[hash] = pointer
	runtime.AddCleanup(fresh, s.forget, forgotten{hash, pointer, int64(len(data))})
	return fresh
}

func (s *Store) find(hash Hash) *content {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.contents[hash].Value()
}

// forgotten names a content that the garbage collector has taken.
type forgotten struct {
	hash    Hash
	pointer weak.Pointer[content]
	size    int64
}

// forget drops the entry of a collected content, unless the same bytes have come
// back in the meantime: then the entry already points at the new copy.
func (s *Store) forget(f forgotten) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.contents[f.hash] == f.pointer {
		delete(s.contents, f.hash)
		s.bytes -= f.size
	}
}
