// Package vfs holds the files of sandboxes as immutable snapshots.
//
// A [Snapshot] is one state of one sandbox's files. It never changes: a change makes a
// new snapshot from an old one ([Snapshot.With]), and readers of the old one are not
// disturbed. So a reader needs no lock, a page that loads during a change sees one tree
// or the other, and two states are equal if their hashes are.
//
//	store := vfs.NewStore(1 << 30)
//	snap, err := store.Snapshot(map[string][]byte{"/index.html": page}, vfs.DefaultLimits())
//	next, err := snap.With(vfs.Put("/app.js", script), vfs.Delete("/old.js"))
//	diff := vfs.Compare(snap, next) // which paths were added, changed, removed
//
// # Where files come from
//
// [Store.Snapshot] takes a map, [Store.FromFS] any [fs.FS] that the program brings
// along (such as an embed.FS), and [Store.FromArchive] a zip or a tar. [OpenFolder]
// takes a folder on disk, and [Folder.Watch] follows its changes. [WatchFile] follows a
// single file that is not part of a sandbox, such as a policy.
//
// # What is rejected
//
// Files from every source pass the same three checks. [CheckPath] decides which paths
// are legal, [Limits] how much one snapshot may hold, and the [Store] how much all
// snapshots may hold together. The error is a [*PathError] or a [*LimitError] that says
// what happened, where, why, and what to do. It rejects the whole tree: no snapshot is
// ever half made. For a folder on disk a [Survey] says what is in it.
//
// A folder on disk is read through [os.Root], one folder at a time. No symbolic link
// leads out of it, not even one that is created while the folder is read. Names that
// begin with a dot are left out, except ".well-known": they are repositories (.git),
// secrets (.env, .npmrc), and editors' swap files, which untrusted code must not see.
// Links to or below such names are left out too, and so are sockets, devices, pipes,
// and unreadable files. [Snapshot.LeftOut] lists them. Only what [IgnoreFile] matches
// is left out silently.
//
// # Sharing
//
// A [Store] keys contents by their SHA-256 [Hash] and gives all snapshots the same
// memory for equal contents, so a thousand sandboxes hold a library once. A content
// lives as long as a snapshot or a [Blob] refers to it; the store refers to it only
// weakly. The store bounds how many bytes count at once: those of snapshots that are
// held ([Store.Hold], which a server calls for its sandboxes) and of snapshots that are
// being made.
//
// Large files of a folder on disk are not in the store. They are read on demand, block
// by block, and each block is verified against its hash before any of its bytes is
// returned ([Blob.Open]).
//
// A content can be looked up by hash only in a snapshot that has it ([Snapshot.Blob]),
// never in the store. So sharing memory does not let one sandbox read another's files.
//
// # Reading
//
// A snapshot is an [fs.FS]. Servers use [Snapshot.Lookup], which takes a path as it
// appears in a URL, "/a/b.txt", and returns size, hash, and MIME type. The type comes
// from [ContentType], a table of our own: the operating system's differs from machine
// to machine and calls TypeScript a video.
package vfs
