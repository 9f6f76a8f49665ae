package vfs

import (
	"bytes"
	"fmt"
	"io"
	"path"
	"regexp"
	"strings"
)

// An unpacker gathers the files of an archive, one after the other.
type unpacker struct {
	builder
	seen map[string]bool // paths that came, and whether they are folders
	buf  bytes.Buffer
}

func newUnpacker(s *Store, l Limits) *unpacker {
	return &unpacker{builder: builder{store: s, limits: l}, seen: map[string]bool{}}
}

// drive is how a name on Windows may begin. Elsewhere it is a name like any other,
// so CheckPath lets it pass.
var drive = regexp.MustCompile(`^[A-Za-z]:`)

// name returns the path of an entry, and whether it is wanted. The name is checked
// in any case: an archive with one that leads out of it is not what it seems.
func (u *unpacker) name(name string, folder bool) (at string, wanted bool, err error) {
	refuse := func(reason, hint string) (string, bool, error) {
		return "", false, &PathError{Path: name, Reason: reason, Hint: hint}
	}
	// "tar -c ." writes "./" before each name.
	relative := strings.TrimPrefix(name, "./")
	if folder {
		relative = strings.TrimSuffix(relative, "/")
		if relative == "" || relative == "." {
			return "/", false, nil // the folder of all
		}
	}
	switch {
	case strings.HasPrefix(name, "/"):
		return refuse("it is absolute, and an archive's names begin at its own top", `pack the files from within their folder, without a "/" in front`)
	case drive.MatchString(name):
		return refuse("it begins with a drive's letter", "pack the files from within their folder, with names that are relative to it")
	}
	at = "/" + relative
	if err := CheckPath(at, u.limits); err != nil {
		return "", false, err
	}
	before, known := u.seen[at]
	switch {
	case known && folder && before:
		// A folder that is named again says nothing new.
	case known:
		return refuse(fmt.Sprintf("%s is in the archive twice", quote(at)), "pack the files anew, each once; a file and a folder cannot have the same name")
	case len(u.seen) >= u.limits.Files*2:
		return "", false, &LimitError{What: LimitEntries, Path: at, Got: int64(len(u.seen)) + 1, Max: int64(u.limits.Files) * 2}
	}
	u.seen[at] = folder
	ofMacOS := path.Base(at) == ".DS_Store" || strings.HasPrefix(at, "/__MACOSX/")
	return at, !ofMacOS, nil
}

// take reads a file's content to its end, or as far as the limits allow.
func (u *unpacker) take(path string, r io.Reader) error {
	if err := u.admit(path, 0); err != nil {
		return err
	}
	u.files--
	room := min(u.limits.FileSize, u.limits.TotalSize-u.total)
	u.buf.Reset()
	// One byte more, so that too much shows.
	if _, err := u.buf.ReadFrom(io.LimitReader(r, room+1)); err != nil {
		return brokenEntry(path, err)
	}
	if err := u.admit(path, int64(u.buf.Len())); err != nil {
		return err
	}
	return u.add(path, u.buf.Bytes())
}

// What an archive may need beside the contents for one file and the folders that it
// is in: headers with its name, twice, and padding.
const aroundEntry = 4096 // bytes

// A meter ends reading with a [*LimitError] when there is more than an archive
// within the limits can need.
type meter struct {
	r      io.Reader
	limits Limits
	read   int64
}

func (m *meter) Read(b []byte) (int, error) {
	n, err := m.r.Read(b)
	m.read += int64(n)
	most := m.limits.TotalSize + int64(m.limits.Files)*int64(2*m.limits.PathLength+aroundEntry) + aroundEntry
	if m.read > most {
		return 0, &LimitError{What: LimitArchive, Path: "/", Got: m.read, Max: most}
	}
	return n, err
}

// A directoryMeter does the same for a zip's list of entries, which is read as a
// whole, until it is over.
type directoryMeter struct {
	r      io.ReaderAt
	limits Limits
	read   int64
	over   bool
}

// aroundName is what an entry's line in that list has beside its name.
const aroundName = 128 // bytes

func (m *directoryMeter) ReadAt(b []byte, at int64) (int, error) {
	n, err := m.r.ReadAt(b, at)
	if m.over {
		return n, err
	}
	m.read += int64(n)
	// The end of the file is searched for the list: 64 KiB, and again in a wrong one.
	if most := 2*int64(m.limits.Files)*int64(m.limits.PathLength+aroundName) + 1<<18; m.read > most {
		return 0, &LimitError{What: LimitArchive, Path: "/", Got: m.read, Max: most}
	}
	return n, err
}
