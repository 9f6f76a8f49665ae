package vfs

import "errors"

// fileCost is how many bytes each file counts in addition to its content and path: for
// its place in the snapshot, and for what a server records about it.
const fileCost = 512

// Hold counts a snapshot of this store against the store's limit until [Store.Release]
// has been called as often as Hold. A content counts once, however many held snapshots
// share it. Each file of each snapshot counts 512 bytes and the length of its path
// besides. The bytes of a content on disk do not count. If the sum exceeds the limit,
// Hold fails with a [*LimitError] and counts nothing.
//
// A snapshot also counts while it is being made: each file counts before the store
// copies its bytes. Once made, it counts only while it is held. The caller is
// responsible for the memory of a snapshot that is not held.
func (s *Store) Hold(snap *Snapshot) error {
	if snap.store != s && len(snap.nodes) > 0 {
		return errors.New("vfs: the snapshot belongs to another store; make it with the store that is to hold it")
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

// Release undoes one [Store.Hold]. When the last one is undone, everything that no
// other held snapshot has stops counting immediately. Release panics if the snapshot is
// not held.
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

// Usage returns how many distinct contents count now, and how many bytes count in all,
// as [Store.Hold] defines. A content that no longer counts may still be in memory,
// until its readers are done and the garbage collector has run.
func (s *Store) Usage() (contents int, size int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counted, s.bytes
}

// count counts a file of size bytes at path. c is its content, or nil if it does not
// exist yet; then the caller records the use. Callers hold s.mu.
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

// use counts a file at path whose content is on disk, until uncount is called.
func (s *Store) use(path string, c *content) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.count(path, c, c.memory())
}

// discount undoes count for files. Callers hold s.mu.
func (s *Store) discount(files []node) {
	for _, n := range files {
		s.bytes -= fileCost + int64(len(n.path))
		if n.content.uses--; n.content.uses == 0 {
			s.bytes -= n.content.memory()
			s.counted--
		}
	}
}

// uncount stops counting the files that a builder has added.
func (s *Store) uncount(files []node) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.discount(files)
}
