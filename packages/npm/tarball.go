package npm

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"
	"unicode"
)

// Files are the files of a package by their path in it, such as "dist/index.js".
type Files map[string][]byte

// ReadFile returns a file, or [fs.ErrNotExist].
func (f Files) ReadFile(name string) ([]byte, error) {
	content, ok := f[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return content, nil
}

// Exists reports whether there is a file of this name. A folder is none.
func (f Files) Exists(name string) bool {
	_, ok := f[name]
	return ok
}

// Unpack returns the files of a tarball without its first folder. It rejects the whole
// tarball with a [*RejectedError] if it exceeds a limit, or has what no published package needs: a
// link, a device, or a path that leads out of its folder.
func Unpack(tarball []byte, limits Limits) (Files, error) {
	unzipped, err := gzip.NewReader(bytes.NewReader(tarball))
	if err != nil {
		return nil, rejected("the tarball is not a gzip file: %v", err)
	}
	files := Files{}
	var total int64
	// The limit also counts what is between the files.
	all := &limited{reader: unzipped, left: limits.Unpacked + int64(limits.Files)*1024 + 1<<20}
	for archive := tar.NewReader(all); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return files, nil
		} else if errors.Is(err, errTooLarge) {
			return nil, rejected("the tarball unpacks to more than %d bytes, which is the limit", limits.Unpacked)
		} else if err != nil {
			return nil, rejected("the tarball cannot be read: %v", err)
		}
		switch header.Typeflag {
		case tar.TypeDir, tar.TypeXGlobalHeader:
			continue
		case tar.TypeReg:
		case tar.TypeSymlink, tar.TypeLink:
			return nil, rejected("the tarball has a link, %.100q to %.100q; a package has only files", header.Name, header.Linkname)
		default:
			return nil, rejected("the tarball has an entry of type %q, %.100q; a package has only files", header.Typeflag, header.Name)
		}
		name, err := cleanName(header.Name)
		if err != nil {
			return nil, err
		}
		if len(files) >= limits.Files {
			return nil, rejected("the tarball has more than %d files, which is the limit", limits.Files)
		}
		if total += header.Size; header.Size < 0 || total > limits.Unpacked {
			return nil, rejected("the tarball unpacks to more than %d bytes, which is the limit", limits.Unpacked)
		}
		content, err := io.ReadAll(archive)
		if errors.Is(err, errTooLarge) {
			return nil, rejected("the tarball unpacks to more than %d bytes, which is the limit", limits.Unpacked)
		} else if err != nil {
			return nil, rejected("the tarball cannot be read: %s: %v", name, err)
		}
		files[name] = content
	}
}

// cleanName returns the path without its first folder, or an error if it could lead out of
// it.
func cleanName(name string) (string, error) {
	fail := func(why string) (string, error) {
		return "", rejected("the tarball has a file %.100q whose path %s", name, why)
	}
	if path.IsAbs(name) || strings.Contains(name, `\`) || strings.ContainsFunc(name, unicode.IsControl) {
		return fail("is absolute, or has a backslash or a control character")
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == ".." {
			return fail("leads out of its folder")
		}
	}
	_, rest, ok := strings.Cut(strings.TrimPrefix(name, "./"), "/")
	if rest = path.Clean(rest); !ok || rest == "." || !fs.ValidPath(rest) {
		return fail("is not in a folder, or is not valid")
	}
	return rest, nil
}

// errTooLarge says that a reader has reached its limit.
var errTooLarge = errors.New("too large")

// limited fails with errTooLarge after so many bytes.
type limited struct {
	reader io.Reader
	left   int64
}

func (l *limited) Read(b []byte) (int, error) {
	if l.left <= 0 {
		return 0, errTooLarge
	}
	n, err := l.reader.Read(b[:min(int64(len(b)), l.left)])
	l.left -= int64(n)
	return n, err
}
