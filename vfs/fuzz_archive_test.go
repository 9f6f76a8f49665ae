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

// A naive reader unpacks an archive as the standard library does, without any limit but the
// test's own, and says whether anything in it is out of the ordinary.
type naive struct {
	files    map[string][]byte
	ordinary bool
}

// file takes an entry that is a regular file, or says that it is none.
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

// most is how much a naive reader takes of one entry.
const most = 1 << 20

func fuzzSeeds() [][]item {
	return [][]item{
		{{name: "index.html", content: "page"}, {name: "a/b", content: "text"}}, {{name: "a/"}, {name: "a/b", content: "x"}}, {{name: "../a", content: "x"}},
		{{name: "/a"}}, {{name: "a"}, {name: "a"}}, {{name: "./a"}, {name: "a"}}, {{name: "a"}, {name: "a/b"}}, {{name: ".DS_Store", content: "x"}, {name: "__MACOSX/a"}},
		{{name: "link", kind: tar.TypeSymlink, mode: fs.ModeSymlink}}, {{name: "C:a"}}, {{name: `a\b`}}, {{name: "a\xff"}}, {{name: "big", content: strings.Repeat("x", 2000)}},
		{{name: ".bellglass/x"}}, {{name: strings.Repeat("a", 70)}}, nil,
	}
}

// A zip is read as the standard library reads it, or refused; what is ordinary and
// within the limits is never refused.
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

// The same for a tar, plain and packed.
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
