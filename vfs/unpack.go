package vfs

import (
	"bytes"
	"fmt"
	"io"
	"path"
	"regexp"
	"strings"
)

// An unpacker collects the files of an archive, one after another.
type unpacker struct {
	builder
	seen map[string]bool // paths seen so far, and whether they are folders
	buf  bytes.Buffer
}

func newUnpacker(s *Store, l Limits) *unpacker {
	return &unpacker{builder: builder{store: s, limits: l}, seen: map[string]bool{}}
}

// drive matches a Windows drive letter. Elsewhere such a name is legal, so CheckPath
// accepts it.
var drive = regexp.MustCompile(`^[A-Za-z]:`)

// name returns the path of an entry, and whether the entry is wanted. It checks the
// name of unwanted entries as well: an archive with a name that leads out of it is
// suspect as a whole.
func (u *unpacker) name(name string, folder bool) (at string, wanted bool, err error) {
	refuse := func(reason, hint string) (string, bool, error) {
		return "", false, &PathError{Path: name, Reason: reason, Hint: hint}
	}
	// "tar -c ." writes "./" before each name.
	relative := strings.TrimPrefix(name, "./")
	if folder {
		relative = strings.TrimSuffix(relative, "/")
		if relative == "" || relative == "." {
			return "/", false, nil // the top folder
		}
	}
	switch {
	case strings.HasPrefix(name, "/"):
		return refuse("it is absolute, but names in an archive are relative to its top", `pack the files from within their folder, without a "/" in front`)
	case drive.MatchString(name):
		return refuse("it begins with a drive letter", "pack the files from within their folder, with names that are relative to it")
	}
	at = "/" + relative
	if err := CheckPath(at, u.limits); err != nil {
		return "", false, err
	}
	before, known := u.seen[at]
	switch {
	case known && folder && before:
		// A folder that is named again adds nothing.
	case known:
		return refuse(fmt.Sprintf("%s is in the archive twice", quote(at)), "pack the files again, each once; a file and a folder cannot have the same name")
	case len(u.seen) >= u.limits.Files*2:
		return "", false, &LimitError{What: LimitEntries, Path: at, Got: int64(len(u.seen)) + 1, Max: int64(u.limits.Files) * 2}
	}
	u.seen[at] = folder
	ofMacOS := path.Base(at) == ".DS_Store" || strings.HasPrefix(at, "/__MACOSX/")
	return at, !ofMacOS, nil
}

// take reads a file's content to its end, within the limits.
func (u *unpacker) take(at string, r io.Reader) error {
	if err := u.admit(at, 0); err != nil {
		return err
	}
	u.files--
	room := min(u.limits.FileSize, u.limits.TotalSize-u.total)
	u.buf.Reset()
	// Read one byte more than allowed, so that an excess shows.
	if _, err := u.buf.ReadFrom(io.LimitReader(r, room+1)); err != nil {
		return brokenEntry(at, err)
	}
	if err := u.admit(at, int64(u.buf.Len())); err != nil {
		return err
	}
	return u.add(at, u.buf.Bytes())
}

// aroundEntry is what an archive may need for one file in addition to its contents: two
// headers with the name, the folders that contain it, and padding.
const aroundEntry = 4096 // bytes

// A meter stops reading with a [*LimitError] when an archive is larger than any archive
// within the limits can be.
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

// A directoryMeter does the same for a zip's list of entries, which is read in one go.
// It stops counting when over is set.
type directoryMeter struct {
	r      io.ReaderAt
	limits Limits
	read   int64
	over   bool
}

// aroundName is what an entry of that list has in addition to its name.
const aroundName = 128 // bytes

func (m *directoryMeter) ReadAt(b []byte, at int64) (int, error) {
	n, err := m.r.ReadAt(b, at)
	if m.over {
		return n, err
	}
	m.read += int64(n)
	// The reader searches 64 KiB at the end of the file for the list, and as much again
	// if it finds a wrong one.
	if most := 2*int64(m.limits.Files)*int64(m.limits.PathLength+aroundName) + 1<<18; m.read > most {
		return 0, &LimitError{What: LimitArchive, Path: "/", Got: m.read, Max: most}
	}
	return n, err
}
