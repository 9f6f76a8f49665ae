package npm

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestInstall(t *testing.T) {
	root := t.TempDir()
	tarball := pack(t, file("package/package.json", "{}"), file("package/lib/a.js", "1"))
	p := Package{"@scope/x", "1.0.0", integrity(tarball)}

	if _, err := p.dir(root); err == nil || !strings.Contains(err.Error(), "go run ./tests/install") {
		t.Fatalf("before: %v, want an error that says what to run", err)
	}
	if fetched, err := install(t.Context(), root, p, serve(tarball)); err != nil || !fetched {
		t.Fatalf("install = %v, %v", fetched, err)
	}
	if fetched, err := install(t.Context(), root, p, refuse(t)); err != nil || fetched {
		t.Fatalf("second install = %v, %v", fetched, err)
	}
	dir, err := p.dir(root)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "lib", "a.js")); err != nil || string(got) != "1" {
		t.Errorf("lib/a.js = %q, %v", got, err)
	}
	left, err := os.ReadDir(root)
	if err != nil || len(left) != 1 {
		t.Errorf("left in the cache: %v, %v", left, err)
	}
}

// The folder in the tarball may have another name.
func TestInstallAnotherFolder(t *testing.T) {
	root := t.TempDir()
	tarball := pack(t, entry{header: tar.Header{Name: "x v1.0/", Typeflag: tar.TypeDir, Mode: 0o755}}, file("x v1.0/package.json", "{}"))
	p := Package{"@types/x", "1.0.0", integrity(tarball)}
	if _, err := install(t.Context(), root, p, serve(tarball)); err != nil {
		t.Fatal(err)
	}
	if _, err := p.dir(root); err != nil {
		t.Error(err)
	}
}

func TestInstallAtOnce(t *testing.T) {
	root := t.TempDir()
	tarball := pack(t, file("package/package.json", "{}"))
	p := Package{"x", "1.0.0", integrity(tarball)}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, err := install(t.Context(), root, p, serve(tarball)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if _, err := p.dir(root); err != nil {
		t.Error(err)
	}
}

func TestRefused(t *testing.T) {
	good := file("package/package.json", "{}")
	link := tar.Header{Name: "package/l", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"}
	hard := tar.Header{Name: "package/l", Typeflag: tar.TypeLink, Linkname: "package/package.json"}
	for name, test := range map[string]struct {
		tarball   []byte
		integrity string
		want      string
	}{
		"another tarball":  {tarball: pack(t, good), integrity: integrity([]byte("other")), want: "not the pinned one"},
		"weak hash":        {tarball: pack(t, good), integrity: "sha1-AAAA", want: "not a sha512"},
		"absolute":         {tarball: pack(t, good, file("/package/x", "")), want: "leaves the package"},
		"parent":           {tarball: pack(t, good, file("package/../../x", "")), want: "leaves the package"},
		"parent inside":    {tarball: pack(t, good, file("package/a/../x", "")), want: "leaves the package"},
		"backslash":        {tarball: pack(t, good, file(`package\..\x`, "")), want: "leaves the package"},
		"other folder":     {tarball: pack(t, good, file("other/x", "")), want: "outside the folder"},
		"symbolic link":    {tarball: pack(t, good, entry{header: link}), want: "neither a file nor a folder"},
		"hard link":        {tarball: pack(t, good, entry{header: hard}), want: "neither a file nor a folder"},
		"same name twice":  {tarball: pack(t, good, good), want: "exists"},
		"not a tarball":    {tarball: []byte("hello"), want: "unpacking"},
		"cut in the midst": {tarball: pack(t, good)[:40], want: "unpacking"},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			if test.integrity == "" {
				test.integrity = integrity(test.tarball)
			}
			p := Package{"x", "1.0.0", test.integrity}
			_, err := install(t.Context(), root, p, serve(test.tarball))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one with %q", err, test.want)
			}
			if left, _ := os.ReadDir(root); len(left) != 0 {
				t.Errorf("left in the cache: %v", left)
			}
		})
	}
}

func TestDirUnknown(t *testing.T) {
	if _, err := Dir("left-pad"); err == nil || !strings.Contains(err.Error(), "not in the table") {
		t.Errorf("Dir of an unknown package: %v", err)
	}
}

type entry struct {
	header tar.Header
	body   string
}

func file(name, body string) entry {
	return entry{tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o644, Size: int64(len(body))}, body}
}

func pack(t *testing.T, entries ...entry) []byte {
	t.Helper()
	var buf bytes.Buffer
	zip := gzip.NewWriter(&buf)
	archive := tar.NewWriter(zip)
	for _, e := range entries {
		if err := archive.WriteHeader(&e.header); err != nil {
			t.Fatal(err)
		}
		if _, err := archive.Write([]byte(e.body)); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func integrity(b []byte) string {
	sum := sha512.Sum512(b)
	return "sha512-" + base64.StdEncoding.EncodeToString(sum[:])
}

func serve(tarball []byte) fetcher {
	return func(_ context.Context, _ Package, dir string) (string, error) {
		name := filepath.Join(dir, "x.tgz")
		return name, os.WriteFile(name, tarball, 0o644)
	}
}

func refuse(t *testing.T) fetcher {
	return func(context.Context, Package, string) (string, error) {
		t.Error("fetched again")
		return "", os.ErrNotExist
	}
}
