// Package vfs holds the files of sandboxes as immutable snapshots.
//
// A [Snapshot] is one state of one sandbox's files. It never changes: a change
// makes a new snapshot out of an old one ([Snapshot.With]), and the old one
// goes on answering whoever still reads from it. So a reader needs no lock, a
// page that loads during a change sees the one tree or the other, and two
// states can be compared by comparing two hashes.
//
//	store := vfs.NewStore(1 << 30)
//	snap, err := store.Snapshot(map[string][]byte{"/index.html": page}, vfs.DefaultLimits())
//	next, err := snap.With(vfs.Put("/app.js", script), vfs.Delete("/old.js"))
//	diff := vfs.Compare(snap, next) // which paths were added, changed, removed
//
// # Where files come from
//
// [Store.Snapshot] takes a map, [Store.FromFS] any [fs.FS] that the program
// itself brings along (an embed.FS), [Store.FromArchive] a zip or a tar, and
// [OpenFolder] a folder on disk, which [Folder.Watch] then follows as it changes.
// [WatchFile] does the same for a single file that is not part of a sandbox, such
// as a policy.
//
// # What is refused
//
// Every source passes the same three gates. [CheckPath] decides which names may
// be a file's path, [Limits] how much one snapshot may hold, and the [Store] how much
// all may together. A refusal is a
// [*PathError] or a [*LimitError] that says what happened, where, why, and what
// to do, and it refuses the whole tree: there is no half-made snapshot. For a folder
// on disk a [Survey] says what is in it.
//
// A folder on disk is read through [os.Root], one folder at a time, so no symbolic
// link leads out of it, not even one that is put there while the folder is being
// read. Names that begin with a dot are left out, except ".well-known": they are
// repositories (.git), secrets (.env, .npmrc) and editors' swap files, and untrusted
// code is the last that should see them. A link to such a file or folder, or below
// one, is left out as well, and so are sockets, devices, pipes and what cannot be
// read: [Snapshot.LeftOut] names them. What [IgnoreFile] matches is left out without
// a word.
//
// # Sharing
//
// A [Store] keeps contents by their SHA-256 [Hash] and hands equal contents to
// all snapshots as the same memory, so a thousand sandboxes with the same
// library hold it once. A content lives as long as a snapshot or a [Blob]
// refers to it; the store itself refers to it only weakly. How much of it may count at
// once has a limit: of the snapshots that somebody holds ([Store.Hold], which a server
// calls for its sandboxes), and of those that are being made. The larger files of a folder
// on disk are not in the store: they are read when they are asked for, a block at a
// time, and each block is held against its hash before any of its bytes are given out
// ([Blob.Open]). Nothing can be asked
// of the store by hash, only of a snapshot ([Snapshot.Blob]), so sharing memory
// does not let one sandbox fetch another's files.
//
// # Reading
//
// A snapshot is an [fs.FS], and for a server there is the direct way:
// [Snapshot.Lookup] takes a path as it stands in a URL, "/a/b.txt", and returns
// size, hash and MIME type. The type comes from [ContentType], a table of our
// own, because the operating system's table differs from machine to machine and
// calls TypeScript a video.
package vfs
