package vfs

import "errors"

// fileCost is what a file counts beside its content and its path, in bytes: for its
// place in the snapshot, and for what a server notes of it.
const fileCost = 512

// Hold counts a snapshot of this store against the store's limit, until [Store.Release]
// is called as often as Hold. Each content counts once, in however many held snapshots
// it is; each file of each snapshot counts 512 bytes and its path besides. Hold
// fails with a [*LimitError] and counts nothing if that is more than the limit. Of a
// content on disk nothing counts but the file.
//
// A snapshot counts while it is being made, too, file by file, before the store copies
// the file's bytes. When that has ended it counts only if it is held: until then its
// memory is the caller's own affair.
func (s *Store) Hold(snap *Snapshot) error {
	if snap.store != s && len(snap.nodes) > 0 {
		return errors.New("vfs: the snapshot is of another store; make it through the store that shall hold it")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if snap.holders == 0 {
		for i, n := range snap.nodes {
			if err := s.count(n.path, n.content, n.content.memory()); err != nil {
				s.discount(snap.nodes[:i])
				return err
			}
		}
	}
	snap.holders++
	return nil
}

// Release ends one [Store.Hold] of a snapshot. With the last one, what no other held
// snapshot has counts no longer, at once. It panics if the snapshot is not held.
func (s *Store) Release(snap *Snapshot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if snap.holders == 0 {
		panic("vfs: Release of a snapshot that is not held")
	}
	if snap.holders--; snap.holders == 0 {
		s.discount(snap.nodes)
	}
}

// Usage returns how many different contents count now, and how many bytes count
// together, as [Store.Hold] counts. A content that counts no longer may be in memory
// still: for who reads it, and until the garbage collector has found it.
func (s *Store) Usage() (contents int, bytes int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counted, s.bytes
}

// count counts a file of so many bytes at path. c is its content, or nil if there is
// none yet: then the caller notes the use. s.mu is held.
func (s *Store) count(path string, c *content, size int64) error {
	more := fileCost + int64(len(path))
	if c == nil || c.uses == 0 {
		more += size
	}
	if s.bytes+more > s.max {
		return &LimitError{What: LimitStore, Path: path, Got: s.bytes + more, Max: s.max}
	}
	s.bytes += more
	if c != nil {
		if c.uses == 0 {
			s.counted++
		}
		c.uses++
	}
	return nil
}

// use counts a file at path whose content is on disk, until forgo is called.
func (s *Store) use(path string, c *content) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.count(path, c, c.memory())
}

// discount takes back what count has counted for files. s.mu is held.
func (s *Store) discount(files []node) {
	for _, n := range files {
		s.bytes -= fileCost + int64(len(n.path))
		if n.content.uses--; n.content.uses == 0 {
			s.bytes -= n.content.memory()
			s.counted--
		}
	}
}

// forgo ends the counting of the files that a builder has added.
func (s *Store) forgo(files []node) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.discount(files)
}
