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
	// quiet is how long nothing must happen for a burst of changes to be over.
	// Programs that write a tree pause for less between two files.
	quiet = 50 * time.Millisecond
	// patience is how long a burst may last before it is looked at anyway.
	patience = time.Second
)

// report is what a receiver was told; two that are equal tell nothing new. The
// zero value is nothing yet.
type report struct {
	made bool
	hash Hash
	fail string // the error's message, "" for a good state
}

func newReport[T any](value T, err error, hash func(T) Hash) report {
	if err != nil {
		return report{made: true, fail: err.Error()}
	}
	return report{made: true, hash: hash(value)}
}

// teller returns a look for follow: it reads, and tells the result if that is
// another than the last one.
func teller[T any](ctx context.Context, last report, read func() (T, error), hash func(T) Hash, tell func(T, error, report)) func(final bool) bool {
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

// interest says which names matter to a watcher. The operating system reports
// whole folders, and above the watched one much goes on that is not ours.
type interest struct {
	names []string // these, and every folder they are in
	tree  string   // and everything below this; "" for none
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

// follow calls look at once and then after each settled burst of changes, until
// ctx ends, closed is closed, or watching fails. It always returns an error.
//
// Before each look it makes a new watcher, lets arm add the folders that exist
// now, and only then drops the old one. So whatever happens from then on causes
// another look, folders that were replaced are never watched by their old
// identity, and no change falls between two looks.
//
// A look that returns false found things in motion and is repeated after a
// pause; the last repetition is told that it is final.
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

// settle returns nil when a burst of changes is over, or after a pause if again
// is set and nothing happens.
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
			// Most often the queue was too short, so that events are missing.
			// A fresh look at everything is the cure for that and for the rest.
		}
		if first.IsZero() {
			first = time.Now()
		}
		timer.Reset(max(0, min(quiet, patience-time.Since(first))))
	}
}

func watchFailed(err error) error {
	return fmt.Errorf("the operating system will not watch it; ignore folders that the page does not load, close programs that watch many, or raise its limit (on Linux fs.inotify.max_user_watches and max_user_instances): %w", err)
}
