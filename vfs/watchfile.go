package vfs

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"

	"github.com/fsnotify/fsnotify"
)

// WatchFile follows one file until ctx ends, and then returns ctx's cause. It is for
// files that belong to the operator, such as a policy: it follows links wherever they
// lead. The file may be as large as [DefaultLimits] allows one file to be.
//
// WatchFile calls changed from one goroutine and never concurrently. The first call, at
// the start, has the current bytes or error, so that no earlier change is lost. Later
// calls follow when a burst of changes has settled and the bytes or the error differ
// from the last call's. After an error the previous bytes stay in force, and the next
// good state is reported whatever it is. The receiver may keep the bytes.
//
// WatchFile sees a file that is replaced by renaming, or removed and created again, and
// a swapped link on the way to it. The file may be missing at first. The error is a
// [*PathError], or a [*LimitError] if the file is too large.
func WatchFile(ctx context.Context, path string, changed func([]byte, error)) error {
	abs, err := filepath.Abs(path)
	if err != nil {
		return fmt.Errorf("watching %q: finding the working directory: %w", path, err)
	}
	arm := func(w *fsnotify.Watcher) (interest, error) {
		names := route(abs)
		for _, n := range names {
			if err := watchAbove(w, n); err != nil {
				return interest{}, err
			}
		}
		return interest{names: names}, nil
	}
	read := func() ([]byte, error) { return readWatched(abs) }
	hash := func(data []byte) Hash { return sha256.Sum256(data) }
	err = follow(ctx, nil, arm, newLook(ctx, report{}, read, hash, func(data []byte, err error, _ report) { changed(data, err) }))
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return fmt.Errorf("watching %q: %w", abs, err)
}

// readWatched reads a file outside of any [Folder], with the same care.
func readWatched(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, unreadable(name, err)
	}
	if !info.Mode().IsRegular() {
		return nil, wrongKind(name, info.Mode().Type())
	}
	f, err := os.OpenFile(name, readOnly, 0)
	if err != nil {
		return nil, unreadable(name, err)
	}
	defer f.Close()
	var buf bytes.Buffer
	if err := readStable(f, name, admitWatched, &buf); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

func admitWatched(name string, size int64) error {
	if most := DefaultLimits().FileSize; size > most {
		return &LimitError{What: LimitFileSize, Path: name, Got: size, Max: most}
	}
	return nil
}
