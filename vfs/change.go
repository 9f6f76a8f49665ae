package vfs

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// Change is one change of a snapshot's files, made by [Put] or [Delete].
type Change struct {
	path   string
	data   []byte
	delete bool
}

// Put creates or replaces a file. [Snapshot.With] copies the data.
func Put(path string, data []byte) Change { return Change{path: path, data: data} }

// Delete removes a file, which must exist.
func Delete(path string) Change { return Change{path: path, delete: true} }

// With returns a new snapshot with all changes applied, or an error. Either way s stays
// as it is. The order of the changes does not matter, so one call can replace a file by
// a folder of the same name. Naming a path twice is an error. The limits are those of
// s.
//
// With fails with a [*LimitError] or a [*PathError]. If a file to delete does not
// exist, the error matches [fs.ErrNotExist].
func (s *Snapshot) With(changes ...Change) (*Snapshot, error) {
	if len(changes) == 0 {
		return s, nil
	}
	sorted := slices.SortedStableFunc(slices.Values(changes), func(a, b Change) int { return strings.Compare(a.path, b.path) })
	if err := s.checkChanges(sorted); err != nil {
		return nil, err
	}

	b := builder{store: s.store, limits: s.limits, nodes: make([]node, 0, len(s.nodes)+len(sorted))}
	defer b.close()
	kept := make([]node, 0, len(s.nodes))
	for _, n := range s.nodes {
		if _, touched := slices.BinarySearchFunc(sorted, n.path, func(c Change, p string) int { return strings.Compare(c.path, p) }); !touched {
			kept = append(kept, n)
			b.files++
			b.total += n.content.size()
		}
	}
	for _, c := range sorted {
		if c.delete {
			continue
		}
		if err := b.admit(c.path, int64(len(c.data))); err != nil {
			return nil, err
		}
	}
	b.nodes = append(b.nodes, kept...)
	for _, c := range sorted {
		if c.delete {
			continue
		}
		if err := b.add(c.path, c.data); err != nil {
			return nil, err
		}
	}
	return b.finish()
}

// checkChanges reports what is wrong with a sorted list of changes, by itself or
// against s.
func (s *Snapshot) checkChanges(sorted []Change) error {
	for i, c := range sorted {
		if err := CheckPath(c.path, s.limits); err != nil {
			return err
		}
		if i > 0 && sorted[i-1].path == c.path {
			return &PathError{Path: c.path, Reason: "it is named twice in one change", Hint: "name it once, with its final content"}
		}
		if !c.delete {
			continue
		}
		if _, found := s.search(c.path); found {
			continue
		}
		if below := s.below(c.path); below != "" {
			return &PathError{Path: c.path, Reason: "it is a folder, and only files can be deleted", Hint: fmt.Sprintf("delete each file in it, as in %s; the folder goes with the last", quote(below)), Err: fs.ErrNotExist}
		}
		return &PathError{Path: c.path, Reason: "there is no such file to delete", Hint: "check the spelling; upper and lower case differ", Err: fs.ErrNotExist}
	}
	return nil
}

// Diff says how one snapshot differs from another. Each list is sorted, and no path
// appears twice.
type Diff struct {
	Added   []string
	Changed []string // same path, different content
	Removed []string
}

// Empty reports whether nothing differs.
func (d Diff) Empty() bool { return len(d.Added)+len(d.Changed)+len(d.Removed) == 0 }

// Same reports whether two snapshots have the same files, and read those that are on
// disk from the same places. If only the places differ, the older snapshot may soon be
// unreadable.
func Same(a, b *Snapshot) bool {
	return a.Hash() == b.Hash() && slices.EqualFunc(a.nodes, b.nodes, func(x, y node) bool {
		return x.content == y.content || x.content.disk == nil && y.content.disk == nil ||
			x.content.disk != nil && y.content.disk != nil && x.content.disk.name == y.content.disk.name && x.content.disk.folder == y.content.disk.folder
	})
}

// Compare returns the changes that lead from old to now. A nil snapshot counts as
// empty. The two may come from different stores.
func Compare(old, now *Snapshot) Diff {
	var before, after []node
	if old != nil {
		before = old.nodes
	}
	if now != nil {
		after = now.nodes
	}
	var d Diff
	for len(before) > 0 || len(after) > 0 {
		switch {
		case len(after) == 0 || len(before) > 0 && before[0].path < after[0].path:
			d.Removed = append(d.Removed, before[0].path)
			before = before[1:]
		case len(before) == 0 || after[0].path < before[0].path:
			d.Added = append(d.Added, after[0].path)
			after = after[1:]
		default:
			if before[0].content.hash != after[0].content.hash {
				d.Changed = append(d.Changed, after[0].path)
			}
			before, after = before[1:], after[1:]
		}
	}
	return d
}
