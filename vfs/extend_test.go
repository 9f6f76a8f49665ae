package vfs_test

import (
	"errors"
	"io/fs"
	"testing"

	"github.com/bellglass/bellglass/vfs"
)

func TestExtend(t *testing.T) {
	store := vfs.NewStore(1 << 20)
	limits := vfs.DefaultLimits()
	limits.Files = 2
	base, err := store.Snapshot(map[string][]byte{"/a.txt": []byte("a"), "/public/b.svg": []byte("b")}, limits)
	if err != nil {
		t.Fatal(err)
	}
	more, err := base.Extend(map[string][]byte{"/.bellglass/script/a.js": []byte("made"), "/a.txt": []byte("other")}, map[string]string{"/b.svg": "/public/b.svg", "/a.txt": "/public/b.svg"})
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"a.txt": "a", "public/b.svg": "b", "b.svg": "b", ".bellglass/script/a.js": "made"} {
		if got, err := more.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%s is %q (%v), want %q", path, got, err, want)
		}
	}
	if entry, _ := more.Lookup("/b.svg"); entry.Type != "image/svg+xml" {
		t.Errorf("the link has the type %q", entry.Type)
	}
	if base.Len() != 2 || more.Len() != 4 || more.TotalSize() != 7 {
		t.Errorf("%d files became %d with %d bytes, want 2, 4, and 7", base.Len(), more.Len(), more.TotalSize())
	}
	if contents, bytes := store.Usage(); contents != 0 || bytes != 0 {
		t.Errorf("%d contents and %d bytes count, but nothing is held", contents, bytes)
	}
	if err := store.Hold(more); err != nil {
		t.Fatal(err)
	}
	if contents, _ := store.Usage(); contents != 3 {
		t.Errorf("%d contents count, want 3", contents)
	}
	store.Release(more)
	if contents, bytes := store.Usage(); contents != 0 || bytes != 0 {
		t.Errorf("%d contents and %d bytes count after the release", contents, bytes)
	}
}

func TestExtendRefuses(t *testing.T) {
	base, err := vfs.NewStore(2_000).Snapshot(map[string][]byte{"/a.txt": []byte("a")}, vfs.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := base.Extend(map[string][]byte{"/.bellglass/x": make([]byte, 4_000)}, nil); err == nil {
		t.Error("a store without room takes more")
	} else if limit, ok := errors.AsType[*vfs.LimitError](err); !ok || limit.What != vfs.LimitStore {
		t.Errorf("a store without room says %v", err)
	}
	if _, err := base.Extend(nil, map[string]string{"/b": "/c"}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a link to nothing gives %v", err)
	}
	if _, err := base.Extend(map[string][]byte{"/a.txt/b": nil}, nil); err == nil {
		t.Error("a file has become a folder")
	}
}
