package vfs

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"os"
)

// ArchiveError reports that an archive was rejected as a whole. A fault of one entry is
// a [*PathError] or a [*LimitError] with the entry's name instead.
type ArchiveError struct {
	Reason string // what is wrong, "it is empty"
	Hint   string // what to do about it
	Err    error  // the underlying cause, or nil
}

// Error returns one line: reason and hint.
func (e *ArchiveError) Error() string {
	return fmt.Sprintf("the archive is refused: %s; %s", e.Reason, e.Hint)
}

// Unwrap returns the cause.
func (e *ArchiveError) Unwrap() error { return e.Err }

// FromArchive makes a snapshot of a zip, a tar, or a tar.gz; contentType, the value of
// a Content-Type header, says which. A tar is read as a stream. A zip has its index at
// the end, so FromArchive first copies it to a temporary file, which it removes before
// it returns. If r is a [*bytes.Reader], no file is needed. [Store.ReadZip] lists what
// makes an archive invalid.
func (s *Store) FromArchive(contentType string, r io.Reader, l Limits) (*Snapshot, error) {
	kind, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		kind = contentType
	}
	switch kind {
	case "application/zip", "application/x-zip-compressed":
		if held, ok := r.(*bytes.Reader); ok {
			return s.ReadZip(held, held.Size(), l)
		}
		return s.readUploadedZip(r, l)
	case "application/x-tar", "application/tar", "application/gzip", "application/x-gzip", "application/x-tgz":
		return s.ReadTar(r, l)
	default:
		return nil, &ArchiveError{
			Reason: fmt.Sprintf("its type is %q, which is not supported", kind),
			Hint:   "send a zip as application/zip, a tar as application/x-tar, or a tar.gz as application/gzip", Err: err,
		}
	}
}

func (s *Store) readUploadedZip(r io.Reader, l Limits) (_ *Snapshot, err error) {
	file, err := os.CreateTemp("", "bellglass-zip-")
	if err != nil {
		return nil, fmt.Errorf("making a temporary file for an uploaded zip: %w; free some space there, or set TMPDIR to another folder", err)
	}
	defer func() {
		err = errors.Join(err, file.Close(), os.Remove(file.Name()))
	}()
	size, err := io.Copy(file, &meter{r: r, limits: l})
	if err != nil {
		return nil, broken(err)
	}
	return s.ReadZip(file, size, l)
}

// ReadZip makes a snapshot of a zip that is size bytes long. Its entry "a/b.txt"
// becomes "/a/b.txt"; a top folder that contains everything is kept. ReadZip ignores
// permissions, empty folders, and what macOS adds (the folder __MACOSX, files named
// .DS_Store). It keeps names that begin with a dot, as [Store.FromFS] does.
//
// The limits apply to what is actually read, not to the sizes that the archive
// declares. ReadZip rejects the whole archive if a checksum is wrong, or if any entry:
//
//   - has a name that leads out of the archive or is not a legal path ([CheckPath])
//   - appears twice
//   - is neither a regular file nor a folder
//   - is encrypted
func (s *Store) ReadZip(r io.ReaderAt, size int64, l Limits) (*Snapshot, error) {
	if size == 0 {
		return nil, errEmptyArchive
	}
	counted := &directoryMeter{r: r, limits: l}
	archive, err := zip.NewReader(counted, size)
	if err != nil {
		return nil, broken(err)
	}
	counted.over = true
	u := newUnpacker(s, l)
	defer u.close()
	for _, f := range archive.File {
		mode := f.Mode()
		path, wanted, err := u.name(f.Name, mode.IsDir())
		switch {
		case err != nil:
			return nil, err
		case f.Flags&(zipEncrypted|zipStronglyEncrypted|zipMasked) != 0:
			return nil, &PathError{Path: path, Reason: "it is encrypted", Hint: "pack the files without a password"}
		case mode.IsDir() && f.UncompressedSize64 > 0:
			return nil, &PathError{Path: path, Reason: "it is a folder that has contents", Hint: "pack the files again"}
		case mode.IsDir():
			continue
		case !mode.IsRegular():
			return nil, wrongKind(path, mode.Type())
		case !wanted:
			continue
		}
		content, err := f.Open()
		if err != nil {
			return nil, brokenEntry(path, err)
		}
		err = u.take(path, content)
		if err = errors.Join(err, content.Close()); err != nil {
			return nil, err
		}
	}
	return u.finish()
}

// Bits of a zip entry's flags that mean encrypted contents or an encrypted header
// (APPNOTE.TXT, section 4.4.4).
const (
	zipEncrypted         = 1 << 0
	zipStronglyEncrypted = 1 << 6
	zipMasked            = 1 << 13
)

// ReadTar makes a snapshot of a tar or a tar.gz. It follows the rules of
// [Store.ReadZip].
func (s *Store) ReadTar(r io.Reader, l Limits) (*Snapshot, error) {
	raw := bufio.NewReader(&meter{r: r, limits: l})
	magic, err := raw.Peek(2)
	if len(magic) == 0 && errors.Is(err, io.EOF) {
		return nil, errEmptyArchive
	}
	var plain io.Reader = raw
	if bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		unpacked, err := gzip.NewReader(raw)
		if err != nil {
			return nil, broken(err)
		}
		// Bytes that the tar reader skips count as well.
		plain = &meter{r: unpacked, limits: l}
	}
	archive := tar.NewReader(plain)
	u := newUnpacker(s, l)
	defer u.close()
	for {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, broken(err)
		}
		if h.Typeflag == tar.TypeXGlobalHeader {
			continue // not an entry but a comment on all of them; git archive writes one
		}
		folder := h.Typeflag == tar.TypeDir
		path, wanted, err := u.name(h.Name, folder)
		switch {
		case err != nil:
			return nil, err
		case folder:
			continue
		case h.Typeflag == tar.TypeLink:
			return nil, &PathError{Path: path, Reason: "it is a link to another file, and only regular files can be served", Hint: "pack the files with links followed (tar --hard-dereference)"}
		case h.Typeflag != tar.TypeReg:
			return nil, wrongKind(path, h.FileInfo().Mode().Type()|unlessRegular(h.Typeflag))
		case !wanted:
			continue
		}
		if err := u.take(path, archive); err != nil {
			return nil, err
		}
	}
	// Read to the end: gzip keeps its checksum there.
	if _, err := io.Copy(io.Discard, plain); err != nil {
		return nil, broken(err)
	}
	return u.finish()
}

// unlessRegular returns the mode bit of a special file for entry types that a
// [fs.FileMode] cannot express, such as sparse files.
func unlessRegular(typeflag byte) fs.FileMode {
	switch typeflag {
	case tar.TypeSymlink, tar.TypeChar, tar.TypeBlock, tar.TypeFifo:
		return 0
	default:
		return fs.ModeIrregular
	}
}

var errEmptyArchive = &ArchiveError{Reason: "it is empty", Hint: "send a zip, a tar or a tar.gz with the files in it"}

// broken turns an error of reading an archive into one that says what to do. A
// [*LimitError] says so already.
func broken(err error) error {
	if limit, ok := errors.AsType[*LimitError](err); ok {
		return limit
	}
	return &ArchiveError{Reason: fmt.Sprintf("it cannot be read (%v)", err), Hint: "check that it is a complete zip, tar or tar.gz, and pack it again", Err: err}
}

func brokenEntry(path string, err error) error {
	if limit, ok := errors.AsType[*LimitError](err); ok {
		return limit
	}
	return &PathError{Path: path, Reason: fmt.Sprintf("it cannot be unpacked (%v)", err), Hint: "pack the files again, as a zip that uses only deflate, or as a tar.gz", Err: err}
}
