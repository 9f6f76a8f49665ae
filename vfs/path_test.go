package vfs

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
)

func TestCheckPathAccepts(t *testing.T) {
	for _, p := range []string{
		"/a", "/index.html", "/a/b.txt", "/.well-known/x", "/.hidden", "/...", "/a..b", "/a b", "/ü/日本.txt",
		"/100%.txt", "/a?b#c", "/.bellglass.txt", "/a/.bellglass/x", "/.bellglas", "/*", "/a:b",
		"/" + strings.Repeat("x", 1023),
	} {
		if err := CheckPath(p, DefaultLimits()); err != nil {
			t.Errorf("CheckPath(%q) = %v, want nil", p, err)
		}
		if !fs.ValidPath(p[1:]) {
			t.Errorf("%q is accepted, but fs.ValidPath says no", p)
		}
	}
}

func TestCheckPathRefuses(t *testing.T) {
	for _, c := range []struct{ path, reason string }{
		{"", "empty"},
		{"/", "top folder"},
		{"a", "does not begin"},
		{"./a", "does not begin"},
		{"http://x/a", "does not begin"},
		{"//a", "empty segment"},
		{"/a//b", "empty segment"},
		{"/a/", "ends with"},
		{"/a/..", `".." segment`},
		{"/..", `".." segment`},
		{"/../etc/passwd", `".." segment`},
		{"/a/../b", `".." segment`},
		{"/.", `"." segment`},
		{"/./a", `"." segment`},
		{"/a/./b", `"." segment`},
		{"/a\x00b", "control character"},
		{"/a\nb", "control character"},
		{"/a\x7f", "control character"},
		{"/a\u0085b", "control character"},
		{`/a\b`, "backslash"},
		{"/a\xff", "UTF-8"},
		{"/\xed\xa0\x80", "UTF-8"}, // half a surrogate pair
		{"/.bellglass", "belongs to Bellglass"},
		{"/.bellglass/sw.js", "belongs to Bellglass"},
	} {
		err := CheckPath(c.path, DefaultLimits())
		refused, ok := errors.AsType[*PathError](err)
		if !ok || refused.Path != c.path || !strings.Contains(refused.Reason, c.reason) || refused.Hint == "" {
			t.Errorf("CheckPath(%q) = %#v, want a PathError with %q and a hint", c.path, err, c.reason)
			continue
		}
		if strings.ContainsAny(err.Error(), "\x00\n\x7f\u0085") {
			t.Errorf("the message %q has raw control characters", err.Error())
		}
		// Every source uses the same check.
		snap, err := newStore().Snapshot(map[string][]byte{c.path: nil, "/fine": nil}, DefaultLimits())
		if snap != nil || err == nil || err.Error() != refused.Error() {
			t.Errorf("Snapshot with %q = %v, %v, want the refusal of CheckPath", c.path, snap, err)
		}
		empty := mustSnapshot(t, nil)
		for _, change := range []Change{Put(c.path, nil), Delete(c.path)} {
			if next, err := empty.With(change); next != nil || err == nil || err.Error() != refused.Error() {
				t.Errorf("With(%q) = %v, %v, want the refusal of CheckPath", c.path, next, err)
			}
		}
	}
}

func TestErrorShowsOnlyTheBeginningOfALongPath(t *testing.T) {
	err := CheckPath("/"+strings.Repeat("ü", 1<<20), DefaultLimits())
	if message := err.Error(); len(message) > 600 || !strings.Contains(message, "2097153 bytes") {
		t.Errorf("the message has %d bytes: %.300s", len(message), message)
	}
}

func FuzzPath(f *testing.F) {
	for _, seed := range []string{
		"/a", "/a/b.txt", "", "/", "//", "/a/", "/./a", "/../a", "/a\\b", "/a\x00", "/\xff", "/.bellglass", "/.bellglass/x",
		"/ü", "/a/.well-known/b", "/%2e%2e/a", "a", "/\u2028", "/a/b/c/d/e",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, p string) {
		snap, err := newStore().Snapshot(map[string][]byte{p: []byte("x")}, DefaultLimits())
		if (err == nil) != (CheckPath(p, DefaultLimits()) == nil) {
			t.Fatalf("Snapshot and CheckPath disagree on %q: %v", p, err)
		}
		if err != nil {
			return
		}
		if e, found := snap.Lookup(p); !found || e.Path != p || e.Size != 1 {
			t.Errorf("Lookup(%q) = %v, %v", p, e, found)
		}
		if !fs.ValidPath(p[1:]) {
			t.Errorf("%q is accepted, but fs.ValidPath says no", p)
		}
		if data, err := snap.ReadFile(p[1:]); err != nil || string(data) != "x" {
			t.Errorf("ReadFile(%q) = %q, %v", p[1:], data, err)
		}
		if strings.HasPrefix(p, "/.bellglass/") || strings.Contains("/"+p+"/", "/../") {
			t.Errorf("%q is accepted", p)
		}
	})
}
