package rules

import (
	"errors"
	"strings"
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

// The work grows with the path, not with what the stars in the pattern could
// stand for: the longest path takes the longest pattern only so many steps that
// this test ends at once. Backtracking would outlast any timeout.
func TestMatchingIsLinear(t *testing.T) {
	policy, err := Parse("policy.yaml", []byte("version: 1\nrules: [{allow: 'https://a.example.com"+strings.Repeat("/**/a*b", 30)+"/c'}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	decide := func(path string) Action {
		return policy.Program().Decide(Request{Method: "GET", URL: "https://a.example.com" + path, Type: TypeFetch}).Action
	}
	path := strings.Repeat("/aab", 2000)
	if decide(path) != Block {
		t.Error("matches a path that does not end in /c")
	}
	if decide(path+"/c") != Allow {
		t.Error("does not match a path that ends in /c")
	}
}

func TestZeroValuesAllowNothing(t *testing.T) {
	var policy *Policy
	for name, program := range map[string]*Program{"no program": nil, "zero program": {}, "no policy": policy.Program(), "zero policy": (&Policy{}).Program()} {
		r := Request{Method: "GET", URL: "https://example.com/", Type: TypeFetch}
		if v := program.Decide(r); v.Action != Block || v.Code != CodeNoProgram {
			t.Errorf("%s: %+v", name, v)
		}
		if m := program.Matches(r); len(m) > 0 {
			t.Errorf("%s: matches %v", name, m)
		}
	}
	if b := policy.Browser(); len(b.Directives)+len(b.Worker)+len(b.Patterns)+len(b.WorkerPatterns) > 0 {
		t.Errorf("no policy opens %+v", b)
	}
	var rule Rule
	if rule.Action != Block || rule.Covers("") || rule.Covers("other") {
		t.Error("the zero Rule allows, or covers what is no type")
	}
}
