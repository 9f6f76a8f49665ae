package vfs

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// An item is an entry of an archive that a test makes.
type item struct {
	name, content string
	kind          byte        // as in a tar; 0 is a regular file, or a folder if the name says so
	mode          fs.FileMode // as in a zip, without the permissions
	flags         uint16      // of a zip entry
}

func makeZip(t testing.TB, items ...item) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, i := range items {
		h := &zip.FileHeader{Name: i.name, Method: zip.Deflate, Flags: i.flags, NonUTF8: i.flags != 0}
		h.SetMode(0o755 | i.mode)
		entry, err := w.CreateHeader(h)
		if err == nil && i.content != "" {
			_, err = io.WriteString(entry, i.content)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func makeTar(t testing.TB, items ...item) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, i := range items {
		h := &tar.Header{Name: i.name, Typeflag: i.kind, Mode: 0o755, Size: int64(len(i.content))}
		switch {
		case i.kind == 0 && strings.HasSuffix(i.name, "/"):
			h.Typeflag = tar.TypeDir
		case i.kind == 0:
			h.Typeflag = tar.TypeReg
		case i.kind == tar.TypeXGlobalHeader:
			h = &tar.Header{Typeflag: i.kind, PAXRecords: map[string]string{"comment": i.content}}
		}
		if i.kind == tar.TypeSymlink || i.kind == tar.TypeLink {
			h.Linkname = "target"
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if h.Size > 0 {
			if _, err := io.WriteString(w, i.content); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func packed(t testing.TB, plain []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(plain); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// kinds are archives of the same items, by Content-Type.
func kinds(t testing.TB, items ...item) map[string][]byte {
	t.Helper()
	plain := makeTar(t, items...)
	return map[string][]byte{"application/zip": makeZip(t, items...), "application/x-tar": plain, "application/gzip": packed(t, plain)}
}

func contents(t testing.TB, s *Snapshot) map[string]string {
	t.Helper()
	got := map[string]string{}
	for entry := range s.Entries() {
		blob, _ := s.Blob(entry.Hash)
		got[entry.Path] = string(blob.held())
	}
	return got
}

func TestArchivesAreRead(t *testing.T) {
	for name, row := range map[string]struct {
		items []item
		want  map[string]string
	}{
		"files":                       {[]item{{name: "index.html", content: "page"}, {name: "a/b c/ü.txt", content: "text"}, {name: "empty"}}, map[string]string{"/index.html": "page", "/a/b c/ü.txt": "text", "/empty": ""}},
		"nothing":                     {nil, map[string]string{}},
		"folders":                     {[]item{{name: "a/"}, {name: "a/b/"}, {name: "a/b/c", content: "c"}, {name: "a/"}, {name: "none/"}}, map[string]string{"/a/b/c": "c"}},
		"a folder around everything":  {[]item{{name: "site/"}, {name: "site/index.html", content: "x"}}, map[string]string{"/site/index.html": "x"}},
		"names as tar -c . has them":  {[]item{{name: "./"}, {name: "./index.html", content: "x"}, {name: "./a/"}, {name: "./a/b", content: "y"}}, map[string]string{"/index.html": "x", "/a/b": "y"}},
		"names that begin with a dot": {[]item{{name: ".well-known/x", content: "x"}, {name: ".hidden", content: "y"}}, map[string]string{"/.well-known/x": "x", "/.hidden": "y"}},
		"what macOS adds":             {[]item{{name: "a.txt", content: "x"}, {name: "__MACOSX/"}, {name: "__MACOSX/._a.txt", content: "y"}, {name: ".DS_Store", content: "z"}, {name: "b/.DS_Store", content: "z"}, {name: "b/__MACOSX/x", content: "kept"}}, map[string]string{"/a.txt": "x", "/b/__MACOSX/x": "kept"}},
		"equal contents":              {[]item{{name: "a", content: "same"}, {name: "b", content: "same"}}, map[string]string{"/a": "same", "/b": "same"}},
		"dots in a name":              {[]item{{name: "a..b", content: "x"}, {name: "...", content: "y"}}, map[string]string{"/a..b": "x", "/...": "y"}},
	} {
		t.Run(name, func(t *testing.T) {
			for kind, data := range kinds(t, row.items...) {
				got, err := newStore().FromArchive(kind+"; charset=binary", bytes.NewReader(data), DefaultLimits())
				if err != nil {
					t.Errorf("%s: %v", kind, err)
					continue
				}
				if diff := cmp.Diff(row.want, contents(t, got)); diff != "" {
					t.Errorf("%s has other files (-want +got):\n%s", kind, diff)
				}
			}
		})
	}
	t.Run("with a remark on all", func(t *testing.T) {
		got, err := newStore().ReadTar(bytes.NewReader(makeTar(t, item{kind: tar.TypeXGlobalHeader, content: "of a commit"}, item{name: "a", content: "x"})), DefaultLimits())
		if err != nil || !maps.Equal(contents(t, got), map[string]string{"/a": "x"}) {
			t.Errorf("%v, %v", got, err)
		}
	})
}

// Anything wrong with one entry rejects the whole archive, with the entry's name and
// what to do.
func TestArchivesAreRefused(t *testing.T) {
	fine := item{name: "fine.txt", content: "x"}
	for name, row := range map[string]struct {
		item   item
		only   string // "zip" or "tar", "" for both
		reason string
	}{
		"out of it":                  {item{name: "../evil"}, "", `".." segment`},
		"out of it from within":      {item{name: "a/../../evil"}, "", `".." segment`},
		"around within":              {item{name: "a/../b"}, "", `".." segment`},
		"a dot within":               {item{name: "a/./b"}, "", `"." segment`},
		"a folder out of it":         {item{name: "../"}, "", `".." segment`},
		"absolute":                   {item{name: "/etc/passwd"}, "", "absolute"},
		"absolute after a dot":       {item{name: ".//etc/passwd"}, "", "empty segment"},
		"two slashes":                {item{name: "a//b"}, "", "empty segment"},
		"backslash":                  {item{name: `..\evil`}, "", "backslash"},
		"drive":                      {item{name: "C:/evil"}, "", "drive"},
		"drive without a slash":      {item{name: "c:evil"}, "", "drive"},
		"control character":          {item{name: "a\x01b"}, "", "control character"},
		"not UTF-8":                  {item{name: "a\xff"}, "", "UTF-8"},
		"reserved":                   {item{name: ".bellglass/sw.js"}, "", "belongs to Bellglass"},
		"reserved folder":            {item{name: ".bellglass/"}, "", "belongs to Bellglass"},
		"a bad name that is dropped": {item{name: "__MACOSX/../evil"}, "", `".." segment`},
		"twice":                      {fine, "", "twice"},
		"twice, in another spelling": {item{name: "./fine.txt", content: "y"}, "", "twice"},
		"a folder, too":              {item{name: "fine.txt/"}, "", "twice"},
		"a file and a folder of it":  {item{name: "fine.txt/below", content: "y"}, "", "also the folder"},
		"symbolic link":              {item{name: "link", kind: tar.TypeSymlink, mode: fs.ModeSymlink, content: ""}, "", "symbolic link"},
		"hard link":                  {item{name: "link", kind: tar.TypeLink}, "tar", "link"},
		"device":                     {item{name: "null", kind: tar.TypeChar, mode: fs.ModeDevice | fs.ModeCharDevice}, "", "device"},
		"block device":               {item{name: "sda", kind: tar.TypeBlock, mode: fs.ModeDevice}, "", "device"},
		"pipe":                       {item{name: "pipe", kind: tar.TypeFifo, mode: fs.ModeNamedPipe}, "", "pipe"},
		"unknown":                    {item{name: "odd", kind: 'Z'}, "tar", "special file"},
		"encrypted":                  {item{name: "secret", flags: 1}, "zip", "encrypted"},
		"strongly encrypted":         {item{name: "secret", flags: 1 << 6}, "zip", "encrypted"},
	} {
		t.Run(name, func(t *testing.T) {
			archives := map[string][]byte{}
			if row.only != "tar" {
				archives["application/zip"] = makeZip(t, fine, row.item)
			}
			if row.only != "zip" {
				archives["application/x-tar"] = makeTar(t, fine, row.item)
			}
			for kind, data := range archives {
				got, err := newStore().FromArchive(kind, bytes.NewReader(data), DefaultLimits())
				refused, ok := errors.AsType[*PathError](err)
				if got != nil || !ok || !strings.Contains(refused.Reason, row.reason) || refused.Hint == "" {
					t.Errorf("%s: %v, %v; want a PathError with %q and a hint", kind, got, err, row.reason)
					continue
				}
				if named := strings.Trim(strings.TrimPrefix(row.item.name, "./"), "/"); !strings.Contains(refused.Path, named) && refused.Path != "/fine.txt" {
					t.Errorf("%s: the refusal names %q", kind, refused.Path)
				}
			}
		})
	}
}

func TestBrokenArchivesAreRefused(t *testing.T) {
	good := kinds(t, item{name: "a.txt", content: strings.Repeat("text", 1000)}, item{name: "b.txt", content: "b"})
	flipped := bytes.Clone(good["application/zip"])
	flipped[bytes.Index(flipped, []byte("a.txt"))+10] ^= 0x55 // inside the contents
	trailer := bytes.Clone(good["application/gzip"])
	trailer[len(trailer)-6] ^= 0x55
	for name, row := range map[string]struct {
		kind string
		data []byte
	}{
		"empty zip": {"application/zip", nil}, "empty tar": {"application/x-tar", nil}, "empty gzip": {"application/gzip", nil},
		"no zip": {"application/zip", []byte("<!doctype html>")}, "no tar": {"application/x-tar", bytes.Repeat([]byte("<!doctype html>"), 100)},
		"zip without its end": {"application/zip", good["application/zip"][:100]}, "tar without its end": {"application/x-tar", good["application/x-tar"][:2000]},
		"gzip without its end": {"application/gzip", good["application/gzip"][:60]}, "gzip with another checksum": {"application/gzip", trailer},
		"zip with other contents": {"application/zip", flipped},
		"a zip as a tar":          {"application/x-tar", good["application/zip"]}, "a tar as a zip": {"application/zip", good["application/x-tar"]},
		"another type": {"text/html", good["application/zip"]}, "no type": {"", good["application/zip"]}, "no type at all": {"; x", good["application/zip"]},
	} {
		t.Run(name, func(t *testing.T) {
			temporary := t.TempDir()
			t.Setenv("TMPDIR", temporary)
			got, err := newStore().FromArchive(row.kind, bytes.NewReader(row.data), DefaultLimits())
			_, whole := errors.AsType[*ArchiveError](err)
			_, one := errors.AsType[*PathError](err)
			if got != nil || !whole && !one || !strings.Contains(err.Error(), "; ") {
				t.Errorf("%v, %v; want a refusal that says what to do", got, err)
			}
			if left, err := os.ReadDir(temporary); len(left) > 0 || err != nil {
				t.Errorf("temporary files are left: %v, %v", left, err)
			}
		})
	}
}

// The limits apply to what is unpacked, whatever the archive declares.
func TestArchivesKeepToTheLimits(t *testing.T) {
	limits := Limits{FileSize: 1000, TotalSize: 2500, Files: 4, PathLength: 20}
	big := strings.Repeat("x", 1000)
	for name, row := range map[string]struct {
		items []item
		what  string // "" if the archive is within the limits
	}{
		"within":           {[]item{{name: "a", content: big}, {name: "b", content: big}, {name: "c", content: big[:500]}, {name: "d"}}, ""},
		"one file":         {[]item{{name: "a", content: big + "x"}}, LimitFileSize},
		"all together":     {[]item{{name: "a", content: big}, {name: "b", content: big}, {name: "c", content: big[:501]}}, LimitTotalSize},
		"too many":         {[]item{{name: "a"}, {name: "b"}, {name: "c"}, {name: "d"}, {name: "e"}}, LimitFiles},
		"too many folders": {[]item{{name: "a/"}, {name: "b/"}, {name: "c/"}, {name: "d/"}, {name: "e/"}, {name: "f/"}, {name: "g/"}, {name: "h/"}, {name: "i/"}}, LimitEntries},
		"a long path":      {[]item{{name: strings.Repeat("a", 20)}}, LimitPathLength},
		"what is dropped":  {[]item{{name: ".DS_Store", content: strings.Repeat("x", 1<<20)}}, LimitArchive},
	} {
		t.Run(name, func(t *testing.T) {
			for kind, data := range kinds(t, row.items...) {
				if row.what == LimitArchive && kind == "application/zip" {
					continue // Ignored entries of a zip are not unpacked.
				}
				got, err := newStore().FromArchive(kind, bytes.NewReader(data), limits)
				over, _ := errors.AsType[*LimitError](err)
				if row.what == "" && err != nil || row.what != "" && (got != nil || over == nil || over.What != row.what || over.Got <= over.Max) {
					t.Errorf("%s: %v, %v; want %q", kind, got, err, row.what)
				}
			}
		})
	}
	t.Run("a zip that lies", func(t *testing.T) {
		data := makeZip(t, item{name: "bomb", content: strings.Repeat("x", 1<<20)})
		// Its list declares one byte of contents.
		list := bytes.LastIndex(data, []byte("PK\x01\x02"))
		copy(data[list+24:], []byte{1, 0, 0, 0})
		got, err := newStore().ReadZip(bytes.NewReader(data), int64(len(data)), limits)
		if got != nil || err == nil {
			t.Errorf("%v, %v; want a refusal", got, err)
		}
	})
	t.Run("an upload without end", func(t *testing.T) {
		for _, kind := range []string{"application/zip", "application/x-tar"} {
			got, err := newStore().FromArchive(kind, endless{}, limits)
			if over, ok := errors.AsType[*LimitError](err); got != nil || !ok && kind == "application/zip" || ok && over.What != LimitArchive {
				t.Errorf("%s: %v, %v", kind, got, err)
			}
		}
	})
	t.Run("a bomb in gzip", func(t *testing.T) {
		// Folders cost nothing but time: 1,000 times as many as allowed.
		var items []item
		for range 3_000 {
			items = append(items, item{name: "a/"})
		}
		_, err := newStore().ReadTar(bytes.NewReader(packed(t, makeTar(t, items...))), limits)
		if over, ok := errors.AsType[*LimitError](err); !ok || over.What != LimitArchive {
			t.Errorf("%v; want the limit of an archive", err)
		}
	})
	t.Run("a long list", func(t *testing.T) {
		var items []item
		for range 10_000 {
			items = append(items, item{name: "a/"})
		}
		data := makeZip(t, items...)
		_, err := newStore().ReadZip(bytes.NewReader(data), int64(len(data)), limits)
		if over, ok := errors.AsType[*LimitError](err); !ok || over.What != LimitArchive {
			t.Errorf("%v; want the limit of an archive", err)
		}
	})
}

// endless is a reader of zeros without end.
type endless struct{}

func (endless) Read(b []byte) (int, error) { clear(b); return len(b), nil }
