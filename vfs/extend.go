package vfs

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
)

// Extend returns a snapshot that also has these files, whose keys are paths, and each file of links
// at another path: links maps the new path to that of a file of s. The new paths may be in the
// folder [Reserved], and do not count against the limits of s: what is there is made from its
// files. Everything counts against the store's limit. A path that s has already keeps its file.
//
// Extend fails with a [*LimitError] if the store has no room, and with a [*PathError] if s has no
// file that a link leads to, or if a file would be the folder of another.
func (s *Snapshot) Extend(files map[string][]byte, links map[string]string) (*Snapshot, error) {
	b := builder{store: s.store, limits: s.limits, nodes: slices.Clone(s.nodes), files: len(s.nodes), total: s.total}
	defer b.close()
	for _, path := range slices.Sorted(maps.Keys(files)) {
		if _, found := s.search(path); found {
			continue
		}
		if err := b.add(path, files[path]); err != nil {
			return nil, err
		}
		b.total += int64(len(files[path]))
	}
	for _, path := range slices.Sorted(maps.Keys(links)) {
		if _, found := s.search(path); found {
			continue
		}
		i, found := s.search(links[path])
		if !found {
			return nil, &PathError{Path: path, Reason: fmt.Sprintf("it leads to %s, which is not there", quote(links[path])), Hint: "name a file of the snapshot", Err: fs.ErrNotExist}
		}
		c := s.nodes[i].content
		if err := b.keep(path, c, s.store.use(path, c)); err != nil {
			return nil, err
		}
		b.total += c.size()
	}
	return b.finish()
}
