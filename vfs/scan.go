package vfs

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	pathpkg "path"
	"slices"
	"strings"
	"syscall"
)

// opener opens a file of a folder. Tests replace it to get files that fail or change at
// a chosen moment. Permission bits cannot do that for a test that runs as root.
type opener func(root *os.Root, name string) (fs.File, error)

// readOnly opens for reading without blocking. If a named pipe has replaced a file or
// folder since it was listed, opening it must not wait for a writer. For files and
// folders the second flag has no effect.
const readOnly = os.O_RDONLY | syscall.O_NONBLOCK

func openInRoot(root *os.Root, name string) (fs.File, error) { return root.OpenFile(name, readOnly, 0) }

// maxFolders bounds the folders of one scan. Links can make a small tree look endless
// without a loop: eight folders, each with ten links to the next.
const maxFolders = 50_000

// scanner reads a folder into a builder, once.
type scanner struct {
	builder
	top     *os.Root
	dir     string // absolute, of the top
	ignored ignores
	open    opener
	spread  int
	folders int
	left    []*PathError
	counted *surveyed                  // set for a survey, which reads no file
	entries int                        // files and folders counted for it
	names   map[string]map[string]bool // listings of the folders that contain links' targets
	in      *intake                    // reused for one file after another; the store already has most contents
}

// A place is an open folder that is being scanned. No part of its name is a link.
type place struct {
	root *os.Root
	name string // relative to the top, "a/b"; "." for the top itself
	info fs.FileInfo
}

// at returns the name of an entry of the folder, relative to the top.
func (p place) at(name string) string {
	if p.name == "." {
		return name
	}
	return p.name + "/" + name
}

// scan reads the folder as it is now. If the folder changes meanwhile, the error wraps
// errUnsettled.
func (f *Folder) scan() (*Snapshot, error) {
	root, err := f.enter()
	if err != nil {
		return nil, err
	}
	defer root.Close()
	snap, err := f.read(root)
	if err != nil {
		return nil, fmt.Errorf("folder %q: %w", f.dir, err)
	}
	return snap, nil
}

func (f *Folder) read(root *os.Root) (*Snapshot, error) {
	ignored, err := f.ignores(root)
	if err != nil {
		return nil, err
	}
	s := f.scanner(root, ignored)
	defer s.close()
	if err := s.all(); err != nil {
		if over, ok := errors.AsType[*LimitError](err); ok {
			over.Folder = f.survey(root, ignored, over)
		}
		return nil, err
	}
	snap, err := s.finish()
	if err != nil {
		return nil, err
	}
	snap.left = s.left
	return snap, nil
}

func (f *Folder) scanner(root *os.Root, ignored ignores) *scanner {
	return &scanner{builder: builder{store: f.store, limits: f.limits}, top: root, ignored: ignored, open: f.open, spread: f.spread, names: map[string]map[string]bool{}, in: new(intake), dir: f.dir}
}

// all reads the whole folder.
func (s *scanner) all() error {
	info, err := s.top.Stat(".")
	if err != nil {
		return unreadable("/", err)
	}
	return s.folder(place{s.top, ".", info}, "", nil)
}

// folder reads the folder in, whose path is path. above are the folders through which
// it was reached.
func (s *scanner) folder(in place, path string, above []fs.FileInfo) error {
	if path != "" {
		// A folder has no path of its own in a snapshot. But no legal path begins with
		// an illegal one.
		if err := CheckPath(path, s.limits); err != nil {
			return s.leaveOut(err)
		}
	}
	if s.folders++; s.folders > s.spread {
		return &LimitError{What: LimitFolders, Path: cmp.Or(path, "/"), Got: int64(s.folders), Max: int64(s.spread)}
	}
	entries, err := listFolder(in.root, ".")
	if err != nil {
		return s.leaveOut(gone(cmp.Or(path, "/"), err))
	}
	if s.counted != nil {
		s.counted.at(path).folders = 1
	}
	above = append(above[:len(above):len(above)], in.info)
	for _, e := range entries {
		if hidden(e.Name()) {
			continue
		}
		if err := s.entry(in, e.Name(), path+"/"+e.Name(), above); err != nil {
			return err
		}
	}
	return nil
}

// leaveOut records why an entry is left out and returns nil, so that the scan
// continues. It returns errors that concern the folder as a whole.
func (s *scanner) leaveOut(err error) error {
	if over, ok := errors.AsType[*LimitError](err); ok && over.What == LimitPathLength {
		err = &PathError{Path: over.Path, Reason: fmt.Sprintf("it has %d bytes, more than %d", over.Got, over.Max), Hint: "use shorter names", Err: err}
	}
	refused, ok := errors.AsType[*PathError](err)
	if !ok || errors.Is(err, errUnsettled) {
		return err
	}
	s.left = append(s.left, refused)
	return nil
}

// entry reads the entry called name of a folder. Its path is path.
func (s *scanner) entry(in place, name, path string, above []fs.FileInfo) error {
	info, err := in.root.Lstat(name)
	if err != nil {
		return s.leaveOut(gone(path, err))
	}
	if info.Mode()&fs.ModeSymlink == 0 {
		return s.leaveOut(s.plain(in, name, path, info, above))
	}
	if s.ignored.match(path[1:], false) {
		return nil
	}
	target, err := s.resolve(in.at(name), path)
	if err != nil {
		return s.leaveOut(err)
	}
	if target == "." {
		return s.leaveOut(s.circle(in, name, path))
	}
	there, err := reach(s.top, pathpkg.Dir(target), path)
	if err != nil {
		return s.leaveOut(err)
	}
	defer there.root.Close()
	if info, err = there.root.Lstat(pathpkg.Base(target)); err != nil {
		return s.leaveOut(gone(path, err))
	}
	if s.ignored.covers(target, info.IsDir()) {
		return s.leaveOut(s.refused(in, name, path, "leads to a file or folder that is ignored", "ignore the link, too, or put a copy in its place"))
	}
	// Only a link can make a folder its own ancestor.
	if slices.ContainsFunc(above, func(a fs.FileInfo) bool { return os.SameFile(a, info) }) {
		return s.leaveOut(s.circle(in, name, path))
	}
	return s.leaveOut(s.plain(there, pathpkg.Base(target), path, info, above))
}

// plain reads a file or folder that is not a link.
func (s *scanner) plain(in place, name, path string, info fs.FileInfo, above []fs.FileInfo) error {
	switch {
	case s.ignored.match(path[1:], info.IsDir()):
		return nil
	case info.IsDir():
		below, err := in.enter(name, path)
		if err != nil {
			return err
		}
		defer below.root.Close()
		return s.folder(below, path, above)
	case !info.Mode().IsRegular():
		return wrongKind(path, info.Mode().Type())
	case s.counted != nil:
		return s.count(path, info.Size())
	}
	files, total := s.files, s.total
	err := s.file(in, name, path)
	if err != nil {
		s.files, s.total = files, total
	}
	return err
}

func (s *scanner) file(in place, name, path string) error {
	f, err := s.open(in.root, name)
	if err != nil {
		return gone(path, err)
	}
	defer f.Close()
	if err := in.holds(name, path, f); err != nil {
		return err
	}
	if err := readStable(f, path, s.admit, s.in); err != nil {
		return err
	}
	if s.in.small != nil {
		return s.add(path, s.in.small)
	}
	return s.addOnDisk(path, s.in.hash, &onDisk{folder: s.dir, name: in.at(name), size: s.in.size, blocks: s.in.blocks})
}

// gone returns the error for an entry that the listing had: if it is missing now, the
// folder is changing.
func gone(path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return &PathError{Path: path, Reason: "it vanished while the folder was read", Hint: "wait until whatever changes the folder has finished", Err: errUnsettled}
	}
	return unreadable(path, err)
}

// hidden reports whether a folder's entry is left out because of its name.
func hidden(name string) bool { return strings.HasPrefix(name, ".") && name != ".well-known" }

// listFolder lists a folder in the order of names, so that of several faults the same
// one is always reported.
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
