package npm

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// top is the folder with everything that was in a tarball.
const top = "package"

// unpack extracts the tarball's only folder as the folder top below dir, which must not exist.
// Nearly every tarball calls its folder "package", but npm accepts any name, and those of
// DefinitelyTyped have the name of what they describe.
func unpack(r io.Reader, dir string) error {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	zip, err := gzip.NewReader(r)
	if err != nil {
		return err
	}
	folder := ""
	for archive := tar.NewReader(zip); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := unpackEntry(root, header, &folder, archive); err != nil {
			return err
		}
	}
}

// unpackEntry extracts one entry. The first sets the folder that all others must be in.
func unpackEntry(root *os.Root, header *tar.Header, folder *string, content io.Reader) error {
	if header.Typeflag == tar.TypeXGlobalHeader {
		return nil // its name is not that of a file
	}
	name, err := entryName(header.Name, folder)
	if err != nil {
		return err
	}
	switch header.Typeflag {
	case tar.TypeDir:
		return root.MkdirAll(name, 0o755)
	case tar.TypeReg:
		return writeFile(root, name, header.FileInfo().Mode()&0o111 != 0, content)
	}
	return fmt.Errorf("entry %q is neither a file nor a folder (type %q)", header.Name, header.Typeflag)
}

// entryName checks a name exactly as it is in the tarball, and returns the name below top.
func entryName(name string, folder *string) (string, error) {
	local := filepath.FromSlash(name)
	if strings.Contains(name, `\`) || !filepath.IsLocal(local) {
		return "", fmt.Errorf("entry %q leaves the package", name)
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == ".." {
			return "", fmt.Errorf("entry %q leaves the package", name)
		}
	}
	first, rest, _ := strings.Cut(path.Clean(name), "/")
	if *folder == "" {
		*folder = first
	}
	if first != *folder {
		return "", fmt.Errorf("entry %q is outside the folder %q", name, *folder)
	}
	return filepath.Join(top, filepath.FromSlash(rest)), nil
}

func writeFile(root *os.Root, name string, executable bool, content io.Reader) error {
	if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	mode := os.FileMode(0o644)
	if executable {
		mode = 0o755
	}
	// O_EXCL: a name that occurs twice is an attack, not a package.
	file, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	if _, err := io.Copy(file, content); err != nil {
		return errors.Join(err, file.Close())
	}
	return file.Close()
}
