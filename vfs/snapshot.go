package vfs

import (
	"iter"
	"slices"
	"strings"
	"sync"
)

// Snapshot is one state of a sandbox's files. It never changes and is safe for
// concurrent use. [Store.Hold] says when it counts against the store's limit. It implements [fs.FS], [fs.StatFS], [fs.ReadFileFS] and
// [fs.ReadDirFS], with names as that package wants them ("a/b.txt"); its other
// methods take paths as they stand in URLs ("/a/b.txt").
//
// Snapshots are made by [Store.Snapshot], [Store.FromFS], [Store.FromArchive],
// [Folder.Snapshot] and [Snapshot.With]. The zero Snapshot is empty and cannot be added to.
type Snapshot struct {
	store  *Store
	limits Limits
	nodes  []node // sorted by path, each path once
	total  int64
	root   Hash
	byHash func() map[Hash]*content
	left   []*PathError

	holders int // how often it is held; guarded by the store's mutex
}

// node is one file. Its type is not stored with the content, because the same
// bytes may be a text under one name and a script under another.
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

// newSnapshot takes over nodes, which are sorted and checked.
func newSnapshot(store *Store, limits Limits, nodes []node, total int64) *Snapshot {
	s := &Snapshot{store: store, limits: limits, nodes: nodes, total: total, root: rootHash(nodes)}
	// Most snapshots of a sandbox that is being edited are never asked by hash,
	// so the index is made when the first question comes.
	s.byHash = sync.OnceValue(func() map[Hash]*content {
		index := make(map[Hash]*content, len(nodes))
		for _, n := range nodes {
			index[n.content.hash] = n.content
		}
		return index
	})
	return s
}

// search returns where path is or would be among the nodes.
func (s *Snapshot) search(path string) (int, bool) {
	return slices.BinarySearchFunc(s.nodes, path, func(n node, p string) int { return strings.Compare(n.path, p) })
}

// Lookup returns the file at path, "/a/b.txt". It does not interpret path: what
// is not exactly the path of a file is not found.
func (s *Snapshot) Lookup(path string) (Entry, bool) {
	i, found := s.search(path)
	if !found {
		return Entry{}, false
	}
	return s.nodes[i].entry(), true
}

// Entries returns all files, sorted by path (by bytes).
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

// TotalSize returns the bytes of all files together; equal contents count each
// time.
func (s *Snapshot) TotalSize() int64 { return s.total }

// Limits returns the limits the snapshot was made with, which [Snapshot.With]
// keeps to as well.
func (s *Snapshot) Limits() Limits { return s.limits }

// LeftOut returns what the source had and the snapshot has not, with the reasons,
// in the order of paths. Only [Folder] leaves anything out: other sources are
// refused as a whole.
func (s *Snapshot) LeftOut() []*PathError { return slices.Clone(s.left) }

// Hash returns the root hash of the tree. Two snapshots have the same one if and
// only if they have the same paths with the same contents and types.
//
// It is the SHA-256 of the text "bellglass tree 1\n" and then of each file,
// sorted by path: the length of the path as 8 bytes, big-endian; the path; the
// 32 bytes of the content's hash; the length of the MIME type as 8 bytes,
// big-endian; the MIME type.
func (s *Snapshot) Hash() Hash {
	if s.byHash == nil { // the zero Snapshot, which no constructor has hashed
		return rootHash(nil)
	}
	return s.root
}

// Blob returns the content with the hash h, if a file of this snapshot has it.
// Contents of other snapshots are not found, even if the store holds them.
func (s *Snapshot) Blob(h Hash) (Blob, bool) {
	if s.byHash == nil {
		return Blob{}, false
	}
	c, found := s.byHash()[h]
	return Blob{c}, found
}
