package vfs

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

var (
	_ fs.StatFS     = (*Snapshot)(nil)
	_ fs.ReadFileFS = (*Snapshot)(nil)
	_ fs.ReadDirFS  = (*Snapshot)(nil)

	errIsFolder = errors.New("is a folder")
	errIsFile   = errors.New("is a file, not a folder")
)

// Open implements [fs.FS]. An open file is also an [io.Seeker].
func (s *Snapshot) Open(name string) (fs.File, error) {
	i, err := s.info("open", name)
	if err != nil {
		return nil, err
	}
	if i.IsDir() {
		return &openDir{info: i, list: func() []fs.DirEntry { return s.list(name) }}, nil
	}
	r, err := Blob{i.content}.Open()
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return &openFile{info: i, Reader: r}, nil
}

// Stat implements [fs.StatFS]. Files have mode 0444, folders 0555. The modification
// time is zero, because a snapshot knows contents, not dates.
func (s *Snapshot) Stat(name string) (fs.FileInfo, error) {
	i, err := s.info("stat", name)
	if err != nil {
		return nil, err
	}
	return i, nil
}

// ReadFile implements [fs.ReadFileFS]. It returns a copy; [Blob.Bytes] does not.
func (s *Snapshot) ReadFile(name string) ([]byte, error) {
	i, err := s.info("read", name)
	if err != nil {
		return nil, err
	}
	if i.IsDir() {
		return nil, &fs.PathError{Op: "read", Path: name, Err: errIsFolder}
	}
	data, err := Blob{i.content}.Bytes()
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: name, Err: err}
	}
	return append([]byte{}, data...), nil
}

// ReadDir implements [fs.ReadDirFS].
func (s *Snapshot) ReadDir(name string) ([]fs.DirEntry, error) {
	i, err := s.info("readdir", name)
	if err != nil {
		return nil, err
	}
	if !i.IsDir() {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: errIsFile}
	}
	return s.list(name), nil
}

func (s *Snapshot) info(op, name string) (info, error) {
	if !fs.ValidPath(name) {
		return info{}, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	if name == "." {
		return info{name: ".", dir: true}, nil
	}
	at := "/" + name
	if i, found := s.search(at); found {
		return info{name: path.Base(name), content: s.nodes[i].content}, nil
	}
	if s.below(at) != "" {
		return info{name: path.Base(name), dir: true}, nil
	}
	return info{}, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
}

// below returns the first path below the folder dir ("/a"), or "" if there is no such
// folder. All nodes below a folder are adjacent, so a snapshot needs no index of
// folders, and very deep paths cost no more than their text.
func (s *Snapshot) below(dir string) string {
	prefix := dir + "/"
	i, _ := s.search(prefix)
	if i < len(s.nodes) && strings.HasPrefix(s.nodes[i].path, prefix) {
		return s.nodes[i].path
	}
	return ""
}

// list returns the direct entries of a folder, sorted by name. It skips over deeper
// entries, so its cost does not depend on how many there are.
func (s *Snapshot) list(name string) []fs.DirEntry {
	prefix := "/"
	if name != "." {
		prefix = "/" + name + "/"
	}
	entries := []fs.DirEntry{}
	for i, _ := s.search(prefix); i < len(s.nodes) && strings.HasPrefix(s.nodes[i].path, prefix); {
		child, _, deeper := strings.Cut(s.nodes[i].path[len(prefix):], "/")
		if deeper {
			entries = append(entries, info{name: child, dir: true})
			i, _ = s.search(prefix + child + "0") // "0" is the byte after "/"
			continue
		}
		entries = append(entries, info{name: child, content: s.nodes[i].content})
		i++
	}
	// Paths are sorted with their "/", names without: "a-b" < "a/", but "a" < "a-b".
	slices.SortFunc(entries, func(x, y fs.DirEntry) int { return strings.Compare(x.Name(), y.Name()) })
	return entries
}

// info is the fs.FileInfo and the fs.DirEntry of a file or a folder.
type info struct {
	name    string
	content *content // nil for a folder
	dir     bool
}

func (i info) Name() string               { return i.name }
func (i info) Size() int64                { return Blob{i.content}.Size() }
func (i info) ModTime() time.Time         { return time.Time{} }
func (i info) IsDir() bool                { return i.dir }
func (i info) Sys() any                   { return nil }
func (i info) Type() fs.FileMode          { return i.Mode().Type() }
func (i info) Info() (fs.FileInfo, error) { return i, nil }

func (i info) Mode() fs.FileMode {
	if i.dir {
		return fs.ModeDir | 0o555
	}
	return 0o444
}

// openFile is an open file.
type openFile struct {
	info info
	*Reader
}

func (f *openFile) Stat() (fs.FileInfo, error) { return f.info, nil }

// openDir is an open folder. It lists the folder on the first call of ReadDir.
type openDir struct {
	info   info
	list   func() []fs.DirEntry
	listed bool
	rest   []fs.DirEntry
}

func (d *openDir) Stat() (fs.FileInfo, error) { return d.info, nil }
func (d *openDir) Close() error               { return nil }

func (d *openDir) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.info.name, Err: errIsFolder}
}

// ReadDir implements [fs.ReadDirFile].
func (d *openDir) ReadDir(n int) ([]fs.DirEntry, error) {
	if !d.listed {
		d.listed, d.rest = true, d.list()
	}
	if n > 0 && len(d.rest) == 0 {
		return nil, io.EOF
	}
	if n <= 0 || n > len(d.rest) {
		n = len(d.rest)
	}
	entries := d.rest[:n:n]
	d.rest = d.rest[n:]
	return entries, nil
}
