package vfs

import "slices"

// Extend returns a snapshot that also has these files, whose keys are paths. They may be in the
// folder [Reserved], and do not count against the limits of s: they are made from its files. They
// count against the store's limit, as all contents do. A path that s has already keeps its file.
//
// Extend fails with a [*LimitError] if the store has no room.
func (s *Snapshot) Extend(files map[string][]byte) (*Snapshot, error) {
	b := builder{store: s.store, limits: s.limits, nodes: slices.Clone(s.nodes), files: len(s.nodes), total: s.total}
	defer b.close()
	for path, data := range files {
		if _, found := s.search(path); found {
			continue
		}
		if err := b.add(path, data); err != nil {
			return nil, err
		}
		b.total += int64(len(data))
	}
	return b.finish()
}
