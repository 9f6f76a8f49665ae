package vfs

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"
	"testing"
)

var fuzzLimits = Limits{FileSize: 1 << 10, TotalSize: 4 << 10, Files: 8, PathLength: 64}

// A naive reader unpacks an archive with the standard library and no limits but its
// own, and reports whether anything in it is unusual.
type naive struct {
	files    map[string][]byte
	ordinary bool
}

// file reads an entry, or reports that it is not a regular file.
func (n *naive) file(name string, regular bool, read func() ([]byte, error)) {
	content, err := []byte(nil), error(nil)
	if regular {
		content, err = read()
	}
	_, twice := n.files["/"+name]
	if !regular || err != nil || twice || !fs.ValidPath(name) || strings.Contains(name, ":") || CheckPath("/"+name, fuzzLimits) != nil {
		n.ordinary = false
		return
	}
	if path.Base(name) != ".DS_Store" && !strings.HasPrefix(name, "__MACOSX/") {
		n.files["/"+name] = content
	}
}

func (n *naive) compare(t *testing.T, got *Snapshot, err error) {
	t.Helper()
	want, wantErr := newStore().Snapshot(n.files, fuzzLimits)
	switch {
	case err == nil && n.ordinary && (wantErr != nil || got.Hash() != want.Hash()):
		t.Errorf("got %q; what the standard library unpacks is %v, %v", contents(t, got), n.files, wantErr)
	case err != nil && got != nil:
		t.Errorf("both a snapshot and %v", err)
	case err != nil && n.ordinary && wantErr == nil:
		t.Errorf("refused: %v; the standard library unpacks %v", err, n.files)
	case err != nil:
		_, one := errors.AsType[*PathError](err)
		_, limit := errors.AsType[*LimitError](err)
		_, whole := errors.AsType[*ArchiveError](err)
		if !one && !limit && !whole {
			t.Errorf("a refusal without a hint: %#v", err)
		}
	default:
		for entry := range got.Entries() {
			if CheckPath(entry.Path, fuzzLimits) != nil {
				t.Errorf("%q is no path of a virtual file", entry.Path)
			}
		}
		if got.TotalSize() > fuzzLimits.TotalSize || got.Len() > fuzzLimits.Files {
			t.Errorf("%d bytes in %d files", got.TotalSize(), got.Len())
		}
	}
}

// most is how much of one entry a naive reader reads.
const most = 1 << 20

func fuzzSeeds() [][]item {
	return [][]item{
		{{name: "index.html", content: "page"}, {name: "a/b", content: "text"}}, {{name: "a/"}, {name: "a/b", content: "x"}}, {{name: "../a", content: "x"}},
		{{name: "/a"}}, {{name: "a"}, {name: "a"}}, {{name: "./a"}, {name: "a"}}, {{name: "a"}, {name: "a/b"}}, {{name: ".DS_Store", content: "x"}, {name: "__MACOSX/a"}},
		{{name: "link", kind: tar.TypeSymlink, mode: fs.ModeSymlink}}, {{name: "C:a"}}, {{name: `a\b`}}, {{name: "a\xff"}}, {{name: "big", content: strings.Repeat("x", 2000)}},
		{{name: ".bellglass/x"}}, {{name: strings.Repeat("a", 70)}}, nil,
	}
}

// A zip gives what the standard library reads, or is rejected. A usual one within the
// limits is never rejected.
func FuzzZip(f *testing.F) {
	for _, items := range fuzzSeeds() {
		f.Add(makeZip(f, items...))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		n := &naive{files: map[string][]byte{}}
		if r, err := zip.NewReader(bytes.NewReader(data), int64(len(data))); err == nil {
			n.ordinary = len(r.File) <= fuzzLimits.Files
			for _, entry := range r.File {
				if strings.HasSuffix(entry.Name, "/") {
					n.ordinary = false
					continue
				}
				n.file(entry.Name, entry.Mode().IsRegular() && entry.Flags&0x2041 == 0, func() ([]byte, error) {
					content, err := entry.Open()
					if err != nil {
						return nil, err
					}
					defer content.Close()
					return io.ReadAll(io.LimitReader(content, most))
				})
			}
		}
		got, err := newStore().ReadZip(bytes.NewReader(data), int64(len(data)), fuzzLimits)
		n.compare(t, got, err)
	})
}

// The same holds for a tar, plain or compressed.
func FuzzTar(f *testing.F) {
	for _, items := range fuzzSeeds() {
		f.Add(makeTar(f, items...))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		n := &naive{files: map[string][]byte{}, ordinary: len(data) > 0 && len(data) < 16<<10 && !bytes.HasPrefix(data, []byte{0x1f, 0x8b})}
		r := tar.NewReader(bytes.NewReader(data))
		for n.ordinary {
			h, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil || len(n.files) >= fuzzLimits.Files {
				n.ordinary = false
				break
			}
			n.file(h.Name, h.Typeflag == tar.TypeReg, func() ([]byte, error) { return io.ReadAll(io.LimitReader(r, most)) })
		}
		got, err := newStore().ReadTar(bytes.NewReader(data), fuzzLimits)
		n.compare(t, got, err)
		if n.ordinary {
			again, err := newStore().ReadTar(bytes.NewReader(packed(t, data)), fuzzLimits)
			n.compare(t, again, err)
		}
	})
}
