package vfs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	// quiet is how long nothing may happen before a burst of changes is over. Programs
	// that write a tree pause for less between two files.
	quiet = 50 * time.Millisecond
	// patience is how long a burst may last before the watcher looks anyway.
	patience = time.Second
)

// report is what a receiver was last told. Two equal reports say the same. The zero
// value means that nothing was reported yet.
type report struct {
	made bool
	hash Hash
	fail string // the error's message; "" for a good state
}

func newReport[T any](value T, err error, hash func(T) Hash) report {
	if err != nil {
		return report{made: true, fail: err.Error()}
	}
	return report{made: true, hash: hash(value)}
}

// newLook returns a look function for follow: it reads, and reports the result if that
// differs from the last one.
func newLook[T any](ctx context.Context, last report, read func() (T, error), hash func(T) Hash, tell func(T, error, report)) func(final bool) bool {
	return func(final bool) bool {
		value, err := read()
		if errors.Is(err, errUnsettled) && !final {
			return false
		}
		if now := newReport(value, err, hash); now != last && ctx.Err() == nil {
			last = now
			tell(value, err, now)
		}
		return true
	}
}

// interest says which names matter to a watcher. The operating system reports whole
// folders, including events above the watched folder that do not matter.
type interest struct {
	names []string // these names, and every folder that contains them
	tree  string   // everything below this folder; "" for none
}

func (i interest) in(name string) bool {
	return i.tree != "" && within(name, i.tree) ||
		slices.ContainsFunc(i.names, func(n string) bool { return within(n, name) })
}

// within reports whether name is dir or below it.
func within(name, dir string) bool {
	rest, below := strings.CutPrefix(name, dir)
	return below && (rest == "" || os.IsPathSeparator(rest[0]) || strings.HasSuffix(dir, string(filepath.Separator)))
}

// follow calls look once, and then after each settled burst of changes, until ctx ends,
// closed is closed, or watching fails. It always returns an error.
//
// Before each look it creates a new watcher, lets arm add the folders that exist now,
// and only then closes the old one. So later changes always cause another look,
// replaced folders are not watched by their old identity, and no change is lost between
// two looks.
//
// A look that returns false found files in motion. It is repeated after a pause. The
// argument of the last repetition is true.
func follow(ctx context.Context, closed <-chan struct{}, arm func(*fsnotify.Watcher) (interest, error), look func(final bool) (settled bool)) error {
	var current *fsnotify.Watcher
	defer func() {
		if current != nil {
			current.Close()
		}
	}()
	for attempt := 1; ; attempt++ {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-closed:
			return os.ErrClosed
		default:
		}
		w, err := fsnotify.NewWatcher()
		if err != nil {
			return watchFailed(err)
		}
		relevant, err := arm(w)
		if current != nil {
			current.Close()
		}
		current = w
		if err != nil {
			return watchFailed(err)
		}
		settled := look(attempt >= maxAttempts)
		if settled {
			attempt = 0
		}
		if err := settle(ctx, closed, w, relevant, !settled); err != nil {
			return err
		}
	}
}

// settle returns nil when a burst of changes is over. If again is set, it also returns
// after a pause in which nothing happens.
func settle(ctx context.Context, closed <-chan struct{}, w *fsnotify.Watcher, relevant interest, again bool) error {
	timer := time.NewTimer(quiet)
	defer timer.Stop()
	if !again {
		timer.Stop()
	}
	var first time.Time
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-closed:
			return os.ErrClosed
		case <-timer.C:
			return nil
		case event, running := <-w.Events:
			if !running {
				return watchFailed(fsnotify.ErrClosed)
			}
			if !relevant.in(event.Name) {
				continue
			}
		case <-w.Errors:
			// The usual cause is an overflow of the queue, so events are missing.
			// Looking at everything again recovers from that and from any other cause.
		}
		if first.IsZero() {
			first = time.Now()
		}
		timer.Reset(max(0, min(quiet, patience-time.Since(first))))
	}
}

func watchFailed(err error) error {
	return fmt.Errorf("the operating system cannot watch it; ignore folders that the page does not load, close programs that watch many, or raise its limit (on Linux fs.inotify.max_user_watches and max_user_instances): %w", err)
}
