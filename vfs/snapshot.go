package vfs

import (
	"iter"
	"slices"
	"strings"
	"sync"
)

// Snapshot is one state of a sandbox's files. It never changes and is safe for
// concurrent use. [Store.Hold] says when it counts against the store's limit. Snapshot
// implements [fs.FS], [fs.StatFS], [fs.ReadFileFS], and [fs.ReadDirFS], with names in
// that package's form ("a/b.txt"). Its other methods take paths as they appear in URLs
// ("/a/b.txt").
//
// Snapshots are made by [Store.Snapshot], [Store.FromFS], [Store.FromArchive],
// [Folder.Snapshot], and [Snapshot.With]. The zero Snapshot is empty and accepts no
// files.
type Snapshot struct {
	store  *Store
	limits Limits
	nodes  []node // sorted by path, each path once
	total  int64
	root   Hash
	byHash func() map[Hash]*content
	left   []*PathError

	holders int // how many times it is held; guarded by the store's mutex
}

// node is one file. The type is not part of the content, because the same bytes can be
// text under one name and a script under another.
type node struct {
	path    string
	kind    string // MIME type
	content *content
}

// Entry describes one file of a snapshot.
type Entry struct {
	Path string // "/a/b.txt"
	Size int64  // bytes
	Hash Hash   // of the content
	Type string // MIME type, from ContentType
}

func (n node) entry() Entry {
	return Entry{Path: n.path, Size: n.content.size(), Hash: n.content.hash, Type: n.kind}
}

// newSnapshot takes ownership of nodes, which are sorted and checked.
func newSnapshot(store *Store, limits Limits, nodes []node, total int64) *Snapshot {
	s := &Snapshot{store: store, limits: limits, nodes: nodes, total: total, root: rootHash(nodes)}
	// Nobody looks up a hash in most snapshots of a sandbox that is being edited, so
	// the first lookup makes the index.
	s.byHash = sync.OnceValue(func() map[Hash]*content {
		index := make(map[Hash]*content, len(nodes))
		for _, n := range nodes {
			index[n.content.hash] = n.content
		}
		return index
	})
	return s
}

// search returns the index of path among the nodes, or where it would be.
func (s *Snapshot) search(path string) (int, bool) {
	return slices.BinarySearchFunc(s.nodes, path, func(n node, p string) int { return strings.Compare(n.path, p) })
}

// Lookup returns the file at path, "/a/b.txt". It does not interpret path: anything but
// the exact path of a file is not found.
func (s *Snapshot) Lookup(path string) (Entry, bool) {
	i, found := s.search(path)
	if !found {
		return Entry{}, false
	}
	return s.nodes[i].entry(), true
}

// Entries returns all files, sorted bytewise by path.
func (s *Snapshot) Entries() iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		for _, n := range s.nodes {
			if !yield(n.entry()) {
				return
			}
		}
	}
}

// Len returns the number of files.
func (s *Snapshot) Len() int { return len(s.nodes) }

// TotalSize returns the bytes of all files together. Equal contents count each time.
func (s *Snapshot) TotalSize() int64 { return s.total }

// Limits returns the limits that the snapshot was made with. [Snapshot.With] keeps to
// them.
func (s *Snapshot) Limits() Limits { return s.limits }

// LeftOut returns what the source had and the snapshot lacks, with the reasons, sorted
// by path. Only a [Folder] leaves anything out. Other sources are rejected as a whole
// instead.
func (s *Snapshot) LeftOut() []*PathError { return slices.Clone(s.left) }

// Hash returns the root hash of the tree. Two snapshots have the same hash if and only
// if they have the same paths with the same contents and types.
//
// It is the SHA-256 of the text "bellglass tree 1\n" and then of each file,
// sorted by path: the length of the path as 8 bytes, big-endian; the path; the
// 32 bytes of the content's hash; the length of the MIME type as 8 bytes,
// big-endian; the MIME type.
func (s *Snapshot) Hash() Hash {
	if s.byHash == nil { // the zero Snapshot, whose hash is not computed in advance
		return rootHash(nil)
	}
	return s.root
}

// Blob returns the content with hash h, if a file of this snapshot has it. It does not
// find contents of other snapshots, even if the store holds them.
func (s *Snapshot) Blob(h Hash) (Blob, bool) {
	if s.byHash == nil {
		return Blob{}, false
	}
	c, found := s.byHash()[h]
	return Blob{c}, found
}
