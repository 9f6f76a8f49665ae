package rule

import (
	"errors"
	"testing"
)

func TestCanonicalPath(t *testing.T) {
	for _, c := range []struct{ path, want string }{
		{"/", "/"},
		{"/a/b", "/a/b"},
		{"/%41%7a%30%2D%2E%5F%7E", "/Az0-._~"},
		{"/%21%24%26%27%28%29%2a%2b%2c%3b%3d%3a%40", "/!$&'()*+,;=:@"},
		{"/ \"<>^`{|}[]", "/%20%22%3C%3E%5E%60%7B%7C%7D%5B%5D"},
		{"/%3f%23%25", "/%3F%23%25"},
		{"/é", "/%C3%A9"},
		{"/%c3%a9", "/%C3%A9"},
		{"/%2541", "/%2541"},
		{"/...", "/..."},
	} {
		if got, err := CanonicalPath(c.path); err != nil || got != c.want {
			t.Errorf("%q: got %q, %v; want %q", c.path, got, err, c.want)
		}
	}
	for _, c := range []struct {
		path   string
		offset int
	}{
		{"/a%2fb", 2}, {"/%5C", 1}, {"/%00", 1}, {"/a%", 2}, {"/a%4", 2}, {"/a%4g", 2}, {`/a\b`, 2},
		{"/a/../b", 3}, {"/.", 1}, {"/%2e%2E/", 1},
	} {
		_, err := CanonicalPath(c.path)
		var wrong *PathError
		if !errors.As(err, &wrong) || wrong.Offset != c.offset {
			t.Errorf("%q: got %#v, want an error at %d", c.path, err, c.offset)
		}
	}
}

func TestCanonicalPathTwiceIsOnce(t *testing.T) {
	for c := range 256 {
		once, err := CanonicalPath("/a" + string([]byte{byte(c)}) + "b")
		if err != nil {
			continue
		}
		if twice, err := CanonicalPath(once); err != nil || twice != once {
			t.Errorf("0x%02X: once %q, twice %q, %v", c, once, twice, err)
		}
	}
}

func TestZeroRuleAllowsNothing(t *testing.T) {
	var rule Rule
	if rule.Action != Block || rule.Covers("") || rule.Covers("other") {
		t.Error("the zero Rule allows, or covers an invalid type")
	}
}
