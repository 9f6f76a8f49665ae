package vfs

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"testing/iotest"
)

func TestSnapshotIsAnFS(t *testing.T) {
	files := map[string][]byte{
		"/index.html": []byte("<p>"), "/a/b/c.txt": []byte("c"), "/a-b": []byte("1"), "/a/z": nil,
		"/a0": []byte("2"), "/ü/日本.js": []byte("3"), "/a/b.d/e": []byte("4"), "/a/b-c": []byte("5"),
	}
	var names []string
	for p := range files {
		names = append(names, p[1:])
	}
	if err := fstest.TestFS(mustSnapshot(t, files), names...); err != nil {
		t.Error(err)
	}
	for name, empty := range map[string]*Snapshot{"empty": mustSnapshot(t, nil), "zero": {}} {
		if err := fstest.TestFS(empty); err != nil {
			t.Errorf("%s snapshot: %v", name, err)
		}
	}

	snap := mustSnapshot(t, files)
	for name, want := range map[string]error{"nope": fs.ErrNotExist, "a/b/c": fs.ErrNotExist, "index.html/x": fs.ErrNotExist, "../x": fs.ErrInvalid, "/a": fs.ErrInvalid} {
		if _, err := snap.Open(name); !errors.Is(err, want) {
			t.Errorf("Open(%q) = %v, want %v", name, err, want)
		}
	}
	entries, err := snap.ReadDir(".")
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if want := []string{"a", "a-b", "a0", "index.html", "ü"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("ReadDir(.) = %q, %v, want %q", got, err, want)
	}
	if _, err := snap.ReadDir("index.html"); err == nil {
		t.Error("ReadDir of a file gives no error")
	}
	if _, err := snap.ReadFile("a"); err == nil {
		t.Error("ReadFile of a folder gives no error")
	}
}

func TestSnapshotAnswers(t *testing.T) {
	snap := mustSnapshot(t, map[string][]byte{"/b.ts": []byte("let x"), "/a/app.wasm": []byte("\x00asm"), "/b-c": []byte("let x")})
	e, found := snap.Lookup("/b.ts")
	if !found || e.Path != "/b.ts" || e.Size != 5 || e.Type != "text/typescript; charset=utf-8" {
		t.Errorf("Lookup(/b.ts) = %+v, %v", e, found)
	}
	for _, p := range []string{"", "/", "b.ts", "/a", "/a/", "/b.ts/", "/B.ts", "//b.ts", "/a/../b.ts"} {
		if e, found := snap.Lookup(p); found {
			t.Errorf("Lookup(%q) = %+v, want nothing", p, e)
		}
	}
	var paths []string
	for e := range snap.Entries() {
		if same, _ := snap.Lookup(e.Path); same != e {
			t.Errorf("Entries has %+v, Lookup %+v", e, same)
		}
		paths = append(paths, e.Path)
	}
	if want := []string{"/a/app.wasm", "/b-c", "/b.ts"}; !slices.Equal(paths, want) {
		t.Errorf("Entries has %q, want %q", paths, want)
	}
	for range snap.Entries() {
		break // must not go on
	}
	if snap.Len() != 3 || snap.TotalSize() != 14 || snap.Limits() != DefaultLimits() {
		t.Errorf("Len %d, TotalSize %d, Limits %v", snap.Len(), snap.TotalSize(), snap.Limits())
	}

	blob, found := snap.Blob(e.Hash)
	if !found || string(blob.held()) != "let x" || blob.Size() != 5 {
		t.Errorf("Blob = %q, %v", blob.held(), found)
	}
	r, err := blob.Open()
	must(t, err)
	defer r.Close()
	if err := iotest.TestReader(r, []byte("let x")); err != nil {
		t.Error(err)
	}
	if _, found := snap.Blob(Hash{}); found {
		t.Error("Blob finds a hash that no file has")
	}
	if _, found := new(Snapshot).Blob(e.Hash); found || new(Blob).Size() != 0 {
		t.Error("a zero Snapshot or Blob is not empty")
	}
}

func TestRootHash(t *testing.T) {
	files := map[string][]byte{"/a.txt": []byte("A"), "/b/c.js": []byte("B")}
	base := mustSnapshot(t, files)
	// The expected hash was computed without this code, from the encoding that Hash
	// documents.
	const want = "9605de402a742497434ee3fb0a63490e2255d94f2e2cc2b9e161122888d402d6"
	if got := base.Hash().String(); got != want {
		t.Errorf("Hash() = %s, want %s", got, want)
	}
	if mustSnapshot(t, files).Hash() != base.Hash() {
		t.Error("equal trees from two stores have different hashes")
	}
	seen := map[Hash]string{base.Hash(): "base"}
	for name, other := range map[string]map[string][]byte{
		"other content": {"/a.txt": []byte("a"), "/b/c.js": []byte("B")},
		"other path":    {"/A.txt": []byte("A"), "/b/c.js": []byte("B")},
		"swapped":       {"/a.txt": []byte("B"), "/b/c.js": []byte("A")},
		"one fewer":     {"/a.txt": []byte("A")},
		"one more":      {"/a.txt": []byte("A"), "/b/c.js": []byte("B"), "/d": nil},
		"none":          {},
	} {
		h := mustSnapshot(t, other).Hash()
		if same, taken := seen[h]; taken {
			t.Errorf("%s has the hash of %s", name, same)
		}
		seen[h] = name
	}
	if new(Snapshot).Hash() != mustSnapshot(t, nil).Hash() {
		t.Error("the zero Snapshot does not have the hash of an empty one")
	}
}

func TestHashText(t *testing.T) {
	h := mustSnapshot(t, nil).Hash()
	text, err := json.Marshal(h)
	var back Hash
	if err != nil || json.Unmarshal(text, &back) != nil || back != h {
		t.Errorf("%s comes back as %s (%v)", h, back, err)
	}
	if parsed, err := ParseHash(h.String()); err != nil || parsed != h {
		t.Errorf("ParseHash(%s) = %s, %v", h, parsed, err)
	}
	for _, s := range []string{"", "00", h.String()[1:], h.String() + "0", strings.Repeat("A", 64), strings.Repeat("g", 64)} {
		if parsed, err := ParseHash(s); err == nil || parsed != (Hash{}) {
			t.Errorf("ParseHash(%q) = %s, %v, want an error", s, parsed, err)
		}
		if err := back.UnmarshalText([]byte(s)); err == nil || back != h {
			t.Errorf("UnmarshalText(%q) = %v and leaves %s", s, err, back)
		}
	}
}

func TestWith(t *testing.T) {
	old := mustSnapshot(t, map[string][]byte{"/a": []byte("1"), "/b": []byte("2"), "/d/e": []byte("3")})
	before := old.Hash()
	next, err := old.With(Put("/a/x", []byte("4")), Delete("/a"), Put("/b", []byte("5")), Delete("/d/e"), Put("/d", []byte("3")))
	if err != nil {
		t.Fatal(err)
	}
	want := mustSnapshot(t, map[string][]byte{"/a/x": []byte("4"), "/b": []byte("5"), "/d": []byte("3")})
	if next.Hash() != want.Hash() || next.TotalSize() != 3 {
		t.Errorf("With makes %v too many or too few, %d bytes", Compare(want, next), next.TotalSize())
	}
	if same, err := old.With(); err != nil || same != old {
		t.Errorf("With() = %v, %v, want the snapshot itself", same, err)
	}

	for name, c := range map[string]struct {
		changes []Change
		path    string
		missing bool
	}{
		"file below a file":   {[]Change{Put("/new", nil), Put("/a/x", nil)}, "/a", false},
		"file over a folder":  {[]Change{Put("/new", nil), Put("/d", nil)}, "/d", false},
		"twice":               {[]Change{Put("/new", nil), Put("/new", []byte("x"))}, "/new", false},
		"put and delete":      {[]Change{Put("/a", nil), Delete("/a")}, "/a", false},
		"delete what is not":  {[]Change{Put("/new", nil), Delete("/nope")}, "/nope", true},
		"delete a folder":     {[]Change{Delete("/d")}, "/d", true},
		"the zero Change":     {[]Change{{}}, "", false},
		"one bad among many":  {[]Change{Put("/new", nil), Put("/../x", nil)}, "/../x", false},
		"delete twice":        {[]Change{Delete("/a"), Delete("/a")}, "/a", false},
		"put below new files": {[]Change{Put("/n", nil), Put("/n/m", nil)}, "/n", false},
	} {
		snap, err := old.With(c.changes...)
		refused, ok := errors.AsType[*PathError](err)
		if snap != nil || !ok || refused.Path != c.path || errors.Is(err, fs.ErrNotExist) != c.missing {
			t.Errorf("%s: With = %v, %v, want a PathError for %q (missing: %v)", name, snap, err, c.path, c.missing)
		}
	}
	if old.Hash() != before || old.Len() != 3 {
		t.Error("With changed the snapshot it derived from")
	}
}

func TestCompare(t *testing.T) {
	old := mustSnapshot(t, map[string][]byte{"/a": []byte("1"), "/b": []byte("2"), "/c": []byte("3"), "/z": nil})
	changed := mustSnapshot(t, map[string][]byte{"/0": nil, "/b": []byte("2"), "/c": []byte("x"), "/d": nil, "/e": nil})
	d := Compare(old, changed)
	if !slices.Equal(d.Added, []string{"/0", "/d", "/e"}) || !slices.Equal(d.Changed, []string{"/c"}) || !slices.Equal(d.Removed, []string{"/a", "/z"}) || d.Empty() {
		t.Errorf("Compare = %+v", d)
	}
	if d := Compare(old, mustSnapshot(t, map[string][]byte{"/a": []byte("1"), "/b": []byte("2"), "/c": []byte("3"), "/z": nil})); !d.Empty() {
		t.Errorf("Compare of equal trees = %+v", d)
	}
	if d := Compare(nil, old); len(d.Added) != 4 || len(d.Removed) != 0 {
		t.Errorf("Compare(nil, …) = %+v", d)
	}
	if d := Compare(old, nil); len(d.Removed) != 4 || len(d.Added) != 0 {
		t.Errorf("Compare(…, nil) = %+v", d)
	}
}

// Many goroutines read while others derive snapshots, under the race detector.
func TestConcurrentUse(t *testing.T) {
	store := newStore()
	files := map[string][]byte{}
	for i := range 50 {
		files[fmt.Sprintf("/d%d/f.txt", i)] = bytes.Repeat([]byte{byte(i)}, i)
	}
	snap, err := store.Snapshot(files, DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	hash := snap.Hash()
	var group sync.WaitGroup
	for worker := range 8 {
		group.Go(func() {
			for i := range 20 {
				next, err := snap.With(Put("/new", []byte{byte(i)}), Delete(fmt.Sprintf("/d%d/f.txt", worker)))
				if err != nil || next.Len() != 50 {
					t.Errorf("With: %v", err)
					return
				}
				for e := range next.Entries() {
					blob, found := next.Blob(e.Hash)
					data, err := blob.Bytes()
					if !found || err != nil || int64(len(data)) != e.Size {
						t.Errorf("%s has %d of %d bytes, %v", e.Path, len(data), e.Size, err)
					}
					if _, err := fs.ReadFile(next, e.Path[1:]); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	group.Wait()
	if snap.Hash() != hash {
		t.Error("the snapshot changed")
	}
}

func TestContentType(t *testing.T) {
	for ext, want := range map[string]string{
		"html": "text/html; charset=utf-8", "htm": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
		"js": "text/javascript; charset=utf-8", "mjs": "text/javascript; charset=utf-8", "cjs": "text/javascript; charset=utf-8",
		"ts": "text/typescript; charset=utf-8", "mts": "text/typescript; charset=utf-8", "tsx": "text/tsx; charset=utf-8",
		"jsx": "text/jsx; charset=utf-8", "json": "application/json", "map": "application/json", "svg": "image/svg+xml",
		"png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
		"avif": "image/avif", "ico": "image/x-icon", "bmp": "image/bmp", "woff": "font/woff", "woff2": "font/woff2",
		"ttf": "font/ttf", "otf": "font/otf", "eot": "application/vnd.ms-fontobject", "wasm": "application/wasm",
		"xml": "application/xml", "txt": "text/plain; charset=utf-8", "md": "text/markdown; charset=utf-8",
		"csv": "text/csv; charset=utf-8", "pdf": "application/pdf", "mp3": "audio/mpeg", "mp4": "video/mp4",
		"webm": "video/webm", "ogg": "audio/ogg", "wav": "audio/wav", "m4a": "audio/mp4", "zip": "application/zip",
		"gz": "application/gzip", "tar": "application/x-tar", "whl": "application/zip", "py": "text/x-python; charset=utf-8",
		"yaml": "application/yaml", "yml": "application/yaml", "toml": "application/toml",
		"webmanifest": "application/manifest+json", "vtt": "text/vtt; charset=utf-8", "xhtml": "application/xhtml+xml",
		"glb": "model/gltf-binary", "gltf": "model/gltf+json",
	} {
		for _, p := range []string{"/a." + ext, "/x.y/a." + strings.ToUpper(ext), "/a.html." + ext} {
			if got := ContentType(p); got != want {
				t.Errorf("ContentType(%q) = %q, want %q", p, got, want)
			}
		}
	}
	for _, p := range []string{"/a", "/a.", "/a.unknown", "/html", "/a.html/b", "/"} {
		if got := ContentType(p); got != "application/octet-stream" {
			t.Errorf("ContentType(%q) = %q, want application/octet-stream", p, got)
		}
	}
	// Text that a browser shows declares its encoding. No other type has a parameter.
	for ext, kind := range types {
		if text := strings.HasPrefix(kind, "text/"); text != strings.HasSuffix(kind, "; charset=utf-8") {
			t.Errorf("%s is %q", ext, kind)
		}
		if ext != strings.ToLower(ext) || ext[0] != '.' {
			t.Errorf("%q can never be looked up", ext)
		}
	}
}
