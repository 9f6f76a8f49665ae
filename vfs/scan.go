package vfs

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"
)

// opener opens a file of a folder. Tests put another one in place to get files
// that fail or change at a chosen moment, which permission bits cannot do for a
// test that runs as root.
type opener func(root *os.Root, name string) (fs.File, error)

// readOnly opens for reading without blocking: if a named pipe has taken the
// place of a file or folder since the listing, opening it must not wait for a
// writer. For files and folders the second flag means nothing.
const readOnly = os.O_RDONLY | syscall.O_NONBLOCK

func openInRoot(root *os.Root, name string) (fs.File, error) { return root.OpenFile(name, readOnly, 0) }

// maxFolders bounds the folders of one scan. Links can make a small tree look
// endless without a loop: eight folders, each with ten links to the next.
const maxFolders = 50_000

// scanner reads a folder into a builder, once.
type scanner struct {
	builder
	root    *os.Root
	open    opener
	outside error // what root answers when a name leads out of it
	spread  int
	folders int
	buf     bytes.Buffer // for one file after the other: most contents are known to the store
}

// scan reads the folder as it is now, or fails; errUnsettled is among the causes
// if it changed meanwhile.
func (f *Folder) scan() (*Snapshot, error) {
	root, err := f.enter()
	if err != nil {
		return nil, err
	}
	defer root.Close()
	s := scanner{builder: builder{store: f.store, limits: f.limits}, root: root, open: f.open, spread: f.spread}
	// The os package does not export this error, so it is asked for.
	_, out := root.Lstat("..")
	s.outside = errors.Unwrap(out)

	if err := s.folder(".", nil); err != nil {
		return nil, fmt.Errorf("folder %q: %w", f.dir, err)
	}
	snap, err := s.finish()
	if err != nil {
		return nil, fmt.Errorf("folder %q: %w", f.dir, err)
	}
	return snap, nil
}

// folder reads what is in the folder name ("." or "a/b"); above are the folders
// it is in, the top first.
func (s *scanner) folder(name string, above []fs.FileInfo) error {
	path := "/" + name
	if name != "." {
		if err := CheckPath(path, s.limits); err != nil {
			return err
		}
	}
	if s.folders++; s.folders > s.spread {
		return &LimitError{What: LimitFolders, Path: path, Got: int64(s.folders), Max: int64(s.spread)}
	}
	info, err := s.root.Stat(name)
	if err != nil {
		return gone(path, err)
	}
	// Only a link can make a folder its own ancestor.
	if slices.ContainsFunc(above, func(a fs.FileInfo) bool { return os.SameFile(a, info) }) {
		return s.refuseLink(path, name, "leads round in circles, to a folder it is in itself", nil)
	}
	entries, err := listFolder(s.root, name)
	if err != nil {
		return gone(path, err)
	}
	above = append(above[:len(above):len(above)], info)
	for _, e := range entries {
		if hidden(e.Name()) {
			continue
		}
		inner := e.Name()
		if name != "." {
			inner = name + "/" + inner
		}
		if err := s.entry(inner, e.Type(), above); err != nil {
			return err
		}
	}
	return nil
}

// entry reads one thing in a folder, of the kind the listing gave.
func (s *scanner) entry(name string, kind fs.FileMode, above []fs.FileInfo) error {
	path := "/" + name
	if kind&fs.ModeSymlink != 0 {
		info, err := s.root.Stat(name)
		switch {
		case errors.Is(err, s.outside):
			return s.refuseLink(path, name, "leads out of the folder", err)
		case errors.Is(err, syscall.ELOOP):
			return s.refuseLink(path, name, "leads round in circles, or over too many other links", err)
		case errors.Is(err, fs.ErrNotExist):
			return s.refuseLink(path, name, "leads to nothing", err)
		case err != nil:
			return unreadable(path, err)
		}
		kind = info.Mode().Type()
	}
	switch {
	case kind.IsDir():
		return s.folder(name, above)
	case !kind.IsRegular():
		return wrongKind(path, kind)
	}
	return s.file(name, path)
}

func (s *scanner) file(name, path string) error {
	f, err := s.open(s.root, name)
	if err != nil {
		return gone(path, err)
	}
	defer f.Close()
	if err := readStable(f, path, s.admit, &s.buf); err != nil {
		return err
	}
	s.add(path, s.store.intern(s.buf.Bytes()))
	return nil
}

// refuseLink refuses the symbolic link at path. A link that is gone by now was
// caught in a change.
func (s *scanner) refuseLink(path, name, what string, cause error) error {
	target, err := s.root.Readlink(name)
	if err != nil {
		return gone(path, err)
	}
	return &PathError{
		Path:   path,
		Reason: fmt.Sprintf("the symbolic link to %q %s", target, what),
		Hint:   "remove it, put a copy in its place, or, if the target is inside the folder, make it a relative link straight to it",
		Err:    cause,
	}
}

// gone is for what the listing showed a moment ago: if it is missing now, the
// folder is changing.
func gone(path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return &PathError{Path: path, Reason: "it vanished while the folder was read", Hint: "wait until whatever changes the folder has finished", Err: errUnsettled}
	}
	return unreadable(path, err)
}

// hidden reports whether a name in a folder is left out.
func hidden(name string) bool { return strings.HasPrefix(name, ".") && name != ".well-known" }

// listFolder lists a folder in the order of names, so that of several faults
// always the same one is found first.
func listFolder(root *os.Root, name string) ([]fs.DirEntry, error) {
	d, err := root.OpenFile(name, readOnly, 0)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	entries, err := d.ReadDir(-1)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}
