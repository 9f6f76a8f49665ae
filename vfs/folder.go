package vfs

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Folder is a folder on disk as a source of snapshots. It is safe for concurrent use.
// It holds no open file between calls, so the folder can be removed, renamed, and
// created again while a Folder refers to it.
//
// A snapshot has all regular files below the folder, except those below names that
// begin with a dot. Such names are repositories, secrets, and editors' swap files; only
// ".well-known" is kept. A symbolic link is followed if its target is inside the folder
// and not hidden. Everything else is left out, and [Snapshot.LeftOut] lists it: other
// links, sockets, devices, named pipes, unreadable files, and paths that [CheckPath]
// rejects. A hard link to a hidden file looks like any other file, and is served.
//
// Files that [IgnoreFile] or the patterns of [OpenFolder] match are left out silently.
// A folder that matches is neither read nor watched.
//
// A folder that exceeds a limit is rejected as a whole, with a [*LimitError].
//
// A file of more than [SmallFile] bytes stays on disk. The snapshot keeps its hashes,
// and reads the file on demand (see [Blob.Open]). It returns the bytes that it was made
// of, or an error.
//
// Every snapshot reads every file again. Size and modification time do not prove that a
// file is unchanged: tools set times back, and clocks are coarse. Trusting them would
// hide an edit forever.
type Folder struct {
	dir     string // absolute
	store   *Store
	limits  Limits
	least   ignores // the patterns given to LeaveOut
	ignored ignores // the patterns given to OpenFolder
	open    opener
	spread  int // limit on folders in one scan
	closed  chan struct{}
	once    sync.Once // closes closed

	mu        sync.Mutex
	last      report  // what Snapshot or Watch reported last
	unwatched ignores // the last patterns that could be read
}

// OpenFolder returns dir as a source of snapshots, whose contents are kept in store. A
// relative dir is resolved against the current working directory. Each pattern is a
// line as in [IgnoreFile]; patterns override that file. OpenFolder fails if a pattern
// is invalid, or if dir is missing, is not a folder, or cannot be listed. It reads no
// file: [Folder.Snapshot] does.
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

// LeaveOut adds a pattern that [IgnoreFile] and the patterns of [OpenFolder] override. Call it
// before the first snapshot.
func (f *Folder) LeaveOut(pattern string) error {
	least, err := parseIgnores("the pattern to ignore", pattern)
	if err != nil {
		return err
	}
	f.least = append(f.least, least...)
	f.unwatched = slices.Concat(f.least, f.ignored)
	return nil
}

// enter opens the folder itself and makes sure that it can be listed.
func (f *Folder) enter() (*os.Root, error) {
	info, err := os.Stat(f.dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, fmt.Errorf("folder %q does not exist; check the spelling or create it: %w", f.dir, err)
	case err == nil && !info.IsDir():
		return nil, fmt.Errorf("%q is a file, not a folder; name the folder it is in", f.dir)
	case err != nil:
		return nil, fmt.Errorf("folder %q cannot be read; check its permissions: %w", f.dir, err)
	}
	root, err := os.OpenRoot(f.dir)
	if err != nil {
		return nil, fmt.Errorf("folder %q cannot be read; check its permissions: %w", f.dir, err)
	}
	if _, err := listFolder(root, "."); err != nil {
		root.Close()
		return nil, fmt.Errorf("folder %q cannot be listed; check its permissions: %w", f.dir, err)
	}
	return root, nil
}

// maxAttempts is how often a folder or file that changes while it is read is read
// again, before the change is reported as an error.
const maxAttempts = 10

// Snapshot reads the whole folder now. If files change meanwhile, it starts again up to
// 10 times and then fails. A file that a program writes in one step is never seen half
// written. A program that writes several files gives no sign that it is done:
// [Folder.Watch] waits for the end, a single Snapshot may not.
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

// reported returns a hash of everything a report says about a snapshot: its files,
// where they are on disk, and what is left out.
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
// [os.ErrClosed]. Existing snapshots stay valid. Close always returns nil.
func (f *Folder) Close() error {
	f.once.Do(func() { close(f.closed) })
	return nil
}

// Watch follows the folder until ctx ends, and then returns ctx's cause. It calls
// changed when a burst of changes has settled, always from one goroutine and never
// concurrently. changed receives one of the following:
//
//   - a new snapshot, if it is not the [Same] as the last reported one or leaves out
//     other files
//   - an error, if it is not the last reported one
//
// The last report is one by Watch, or by a Snapshot call before Watch. After an error
// the previous snapshot stays in force, and the next good state is reported whatever
// its hash.
//
// Changes between a Snapshot and the start of Watch are reported immediately. Without a
// Snapshot, Watch first reports the current state. Watch sees new folders, renames,
// files replaced by renaming, and a folder that is removed and created again. Changes
// that never pause are reported about once a second. On file systems that send no
// notifications (some network and container mounts) nothing is reported.
//
// Watch fails with [os.ErrClosed] after Close, and if the operating system refuses to
// watch that many folders.
func (f *Folder) Watch(ctx context.Context, changed func(*Snapshot, error)) error {
	f.mu.Lock()
	last := f.last
	f.mu.Unlock()
	look := newLook(ctx, last, f.scan, (*Snapshot).reported, func(snap *Snapshot, err error, now report) {
		f.remember(now)
		changed(snap, err)
	})
	err := follow(ctx, f.closed, f.watchAll, look)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return fmt.Errorf("watching the folder %q: %w", f.dir, err)
}
