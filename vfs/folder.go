package vfs

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// Folder is a folder on disk as a source of snapshots. It is safe for concurrent
// use. It holds no open file between calls, so the folder can be removed,
// renamed and made anew while a Folder refers to it.
//
// A snapshot has all regular files below the folder, except names that begin
// with a dot (".well-known" is kept); such names are repositories, secrets and
// editors' swap files. A symbolic link is followed to what the snapshot may have
// anyway: inside the folder, and not below a hidden name. [Snapshot.LeftOut] names
// the rest, which is left out: other links, sockets, devices and named pipes, files
// that cannot be read, and paths that [CheckPath] refuses. A hard link to a hidden
// file cannot be told from the file itself, and is served.
//
// What [IgnoreFile] and the patterns of [OpenFolder] match is left out without a
// word. A folder that they match is not read and not watched.
//
// A limit that is exceeded refuses the folder as a whole, with a [*LimitError].
//
// A file of more than [SmallFile] bytes stays on disk: the snapshot has its hashes, and
// reads it again when it is asked for (see [Blob.Open]). Each file is read as it was,
// or not at all.
//
// Every snapshot reads every file anew. Size and modification time are not
// trusted to tell that a file is unchanged: they can be equal for two contents
// (tools set times back, and clocks are coarse), and then an edit would never
// appear.
type Folder struct {
	dir     string // absolute
	store   *Store
	limits  Limits
	ignored ignores // of OpenFolder
	open    opener
	spread  int // most folders in one scan
	closed  chan struct{}
	once    sync.Once // closes closed

	mu        sync.Mutex
	last      report  // what Snapshot or Watch gave out last
	unwatched ignores // the last that could be read
}

// OpenFolder returns dir as a source of snapshots, whose contents are kept in
// store. A relative dir is taken against the working directory of this moment.
// Patterns are lines as in [IgnoreFile]; they count more than those in that file.
// It fails if a pattern is wrong, or if dir is missing, is not a folder, or cannot be
// listed; what is in the folder is not looked at before [Folder.Snapshot].
func OpenFolder(dir string, store *Store, l Limits, patterns ...string) (*Folder, error) {
	ignored, err := parseIgnores("the patterns to ignore", strings.Join(patterns, "\n"))
	if err != nil {
		return nil, err
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("folder %q: finding the working directory: %w", dir, err)
	}
	f := &Folder{dir: abs, store: store, limits: l, ignored: ignored, unwatched: ignored, open: openInRoot, spread: maxFolders, closed: make(chan struct{})}
	root, err := f.enter()
	if err != nil {
		return nil, err
	}
	return f, root.Close()
}

// enter opens the folder itself and makes sure that it can be listed.
func (f *Folder) enter() (*os.Root, error) {
	info, err := os.Stat(f.dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, fmt.Errorf("folder %q does not exist; check the spelling, or create it: %w", f.dir, err)
	case err == nil && !info.IsDir():
		return nil, fmt.Errorf("%q is a file, not a folder; name the folder it is in", f.dir)
	case err != nil:
		return nil, fmt.Errorf("folder %q cannot be read; check who may read it: %w", f.dir, err)
	}
	root, err := os.OpenRoot(f.dir)
	if err != nil {
		return nil, fmt.Errorf("folder %q cannot be read; check who may read it: %w", f.dir, err)
	}
	if _, err := listFolder(root, "."); err != nil {
		root.Close()
		return nil, fmt.Errorf("folder %q cannot be listed; check who may read it: %w", f.dir, err)
	}
	return root, nil
}

// maxAttempts is how often a folder or file that changes while it is read is
// read again before that is reported as an error.
const maxAttempts = 10

// Snapshot reads the whole folder now. If files change meanwhile it starts
// again, a few times, and then fails. Files that are written in one go by other
// programs are never seen half, but a program that writes several files gives no
// sign when it is done: [Folder.Watch] sees the end, a single Snapshot may not.
func (f *Folder) Snapshot() (*Snapshot, error) {
	select {
	case <-f.closed:
		return nil, fmt.Errorf("folder %q: %w", f.dir, os.ErrClosed)
	default:
	}
	var snap *Snapshot
	var err error
	for range maxAttempts {
		if snap, err = f.scan(); !errors.Is(err, errUnsettled) {
			break
		}
	}
	f.remember(newReport(snap, err, (*Snapshot).reported))
	return snap, err
}

func (f *Folder) remember(r report) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.last = r
}

// reported names what is told of a snapshot: its files, where they are on disk, and what
// is left out.
func (s *Snapshot) reported() Hash {
	h := sha256.New()
	root := s.Hash()
	h.Write(root[:])
	for _, n := range s.nodes {
		if n.content.disk != nil {
			fmt.Fprintf(h, "%q\n", n.content.disk.name)
		}
	}
	for _, left := range s.left {
		fmt.Fprintf(h, "%q\n", left.Error())
	}
	return Hash(h.Sum(nil))
}

// Close ends every Watch, and makes later calls of Snapshot and Watch fail with
// [os.ErrClosed]. Snapshots that were made stay valid. It always returns nil.
func (f *Folder) Close() error {
	f.once.Do(func() { close(f.closed) })
	return nil
}

// Watch follows the folder until ctx ends, and then returns ctx's cause. It
// calls changed, from one goroutine and never twice at a time, when a burst of
// changes has settled: with the new snapshot if it is not [Same] as the one reported
// last, or leaves out something else, by Watch or by a Snapshot call before Watch; or with an error,
// if that is not the error reported last. After an error the snapshot before it
// is still the one in force, and the next good state is reported whatever its
// hash.
//
// What happened between a Snapshot and the start of Watch is reported at once,
// and without a Snapshot before it the present state is. New folders, renames,
// and files replaced by renaming are seen; so is the folder itself when it is
// removed and made anew. Changes that never pause are reported about once a
// second. On file systems that give no notice of changes (some network and
// container mounts) nothing is reported.
//
// Watch fails with [os.ErrClosed] after Close, and when the operating system
// will not watch so many folders.
func (f *Folder) Watch(ctx context.Context, changed func(*Snapshot, error)) error {
	f.mu.Lock()
	last := f.last
	f.mu.Unlock()
	look := teller(ctx, last, f.scan, (*Snapshot).reported, func(snap *Snapshot, err error, now report) {
		f.remember(now)
		changed(snap, err)
	})
	err := follow(ctx, f.closed, f.watchAll, look)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return fmt.Errorf("watching the folder %q: %w", f.dir, err)
}
