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

// top is the folder that contains everything in an npm tarball.
const top = "package"

// unpack extracts the tarball's folder top below dir, which must not exist.
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
	for archive := tar.NewReader(zip); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := unpackEntry(root, header, archive); err != nil {
			return err
		}
	}
}

func unpackEntry(root *os.Root, header *tar.Header, content io.Reader) error {
	name, err := entryName(header.Name)
	if err != nil {
		return err
	}
	switch header.Typeflag {
	case tar.TypeXGlobalHeader:
		return nil
	case tar.TypeDir:
		return root.MkdirAll(name, 0o755)
	case tar.TypeReg:
		return writeFile(root, name, header.FileInfo().Mode()&0o111 != 0, content)
	}
	return fmt.Errorf("entry %q is neither a file nor a folder (type %q)", header.Name, header.Typeflag)
}

// entryName checks a name exactly as it is in the tarball.
func entryName(name string) (string, error) {
	local := filepath.FromSlash(name)
	if strings.Contains(name, `\`) || !filepath.IsLocal(local) {
		return "", fmt.Errorf("entry %q leaves the package", name)
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == ".." {
			return "", fmt.Errorf("entry %q leaves the package", name)
		}
	}
	if clean := path.Clean(name); clean != top && !strings.HasPrefix(clean, top+"/") {
		return "", fmt.Errorf("entry %q is outside the folder %q", name, top)
	}
	return filepath.Clean(local), nil
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
