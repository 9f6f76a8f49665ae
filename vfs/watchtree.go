package vfs

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/fsnotify/fsnotify"
)

// watchAll watches the folder, each folder in it that is not left out, the targets of
// links in it, and every link in the folder's own name. Watches are scarce, so ignored
// folders get none. The ignore file is in the folder, and so is watched.
func (f *Folder) watchAll(w *fsnotify.Watcher) (interest, error) {
	ignored := f.ignoredNow()
	names := route(f.dir)
	for _, n := range names {
		if err := watchAbove(w, n); err != nil {
			return interest{}, err
		}
	}
	top := names[len(names)-1]
	relevant := interest{names: names, tree: top}

	seen := map[string]bool{top: true}
	todo := []string{top}
	for len(todo) > 0 && len(seen) <= f.spread {
		dir := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if err := watch(w, dir); err != nil {
			return interest{}, err
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue // missing, forbidden, or not a folder: the scan decides
		}
		for _, e := range entries {
			if hidden(e.Name()) {
				continue
			}
			name := filepath.Join(dir, e.Name())
			if e.Type()&os.ModeSymlink != 0 {
				if ignored.covers(below(top, name), false) {
					continue
				}
				hops := route(name)
				if err := watchHops(w, hops, top); err != nil {
					return interest{}, err
				}
				name = hops[len(hops)-1]
			}
			info, err := os.Lstat(name)
			if err == nil && info.IsDir() && within(name, top) && !coveredBelow(top, name) && !seen[name] && !ignored.covers(below(top, name), true) {
				seen[name] = true
				todo = append(todo, name)
			}
		}
	}
	return relevant, nil
}

// below returns the part of name that is below top, "a/b".
func below(top, name string) string {
	return filepath.ToSlash(strings.TrimPrefix(name[len(top):], string(filepath.Separator)))
}

// coveredBelow reports whether the part of name below top is closed to links.
func coveredBelow(top, name string) bool {
	_, parts := splitName(strings.TrimPrefix(name, top))
	return slices.ContainsFunc(parts, covered)
}

// watchHops watches the links that a name in the folder at top passes through. They may
// be in folders that are otherwise left out. Hops outside of the folder need no watch:
// the scan rejects such a link, and only a change of the link can fix that.
func watchHops(w *fsnotify.Watcher, hops []string, top string) error {
	for _, hop := range hops {
		if !within(hop, top) {
			continue
		}
		if err := watchAbove(w, hop); err != nil {
			return err
		}
	}
	return nil
}

// route returns the names that decide where an absolute name leads: each symbolic link
// on the way, and finally the target itself, whose name is free of links as far as it
// exists.
func route(name string) []string {
	var links []string
	at, todo := splitName(name)
	for len(todo) > 0 {
		part := todo[0]
		todo = todo[1:]
		switch part {
		case ".":
			continue
		case "..":
			at = filepath.Dir(at)
			continue
		}
		at = filepath.Join(at, part)
		target, err := os.Readlink(at)
		if err != nil || len(links) == maxLinks {
			continue
		}
		links = append(links, at)
		top, parts := splitName(target)
		if at = filepath.Dir(at); top != "" {
			at = top
		}
		todo = append(parts, todo...)
	}
	return append(links, at)
}

// splitName returns the root of an absolute name, or "" for a relative one, and the
// remaining parts.
func splitName(name string) (top string, parts []string) {
	volume := filepath.VolumeName(name)
	if filepath.IsAbs(name) {
		top = volume + string(filepath.Separator)
	}
	return top, strings.FieldsFunc(name[len(volume):], func(r rune) bool { return r < 0x80 && os.IsPathSeparator(byte(r)) })
}

// watch adds one folder. A folder that is missing or unreadable is not a failure: the
// folder above it reports when that changes.
func watch(w *fsnotify.Watcher, dir string) error {
	if err := w.Add(dir); !absent(err) {
		return err
	}
	return nil
}

// watchAbove watches the folder that contains name. While that is missing, it watches
// the nearest folder above that exists, so that the appearance of name is always
// reported.
func watchAbove(w *fsnotify.Watcher, name string) error {
	for {
		dir, missing := filepath.Dir(name), ""
		err := w.Add(dir)
		for absent(err) && filepath.Dir(dir) != dir {
			dir, missing = filepath.Dir(dir), dir
			err = w.Add(dir)
		}
		if err != nil && !absent(err) {
			return err
		}
		// If the missing folder appeared before the folder above was watched, no event
		// reports it: look again. If it still cannot be watched, the folder above
		// reports its next change.
		if missing == "" || absent(w.Add(missing)) {
			return nil
		}
	}
}

// absent reports whether an error means that there is nothing to watch yet.
func absent(err error) bool {
	return errors.Is(err, os.ErrNotExist) || errors.Is(err, os.ErrPermission) || errors.Is(err, syscall.ENOTDIR)
}
