package browsermodel

import (
	"net/http"
	"testing"
)

// The model rejects, too. A model that accepts everything would make the tests based on it
// pass.
func TestModels(t *testing.T) {
	for _, c := range []struct {
		pattern string
		csp     bool // otherwise a URLPattern
		u       URL
		want    bool
	}{
		{"https://a.example", true, URL{"https", "a.example", "", "/x"}, true},
		{"https://a.example", true, URL{"https", "a.example", "8443", "/x"}, false},
		{"https://a.example", true, URL{"http", "a.example", "", "/x"}, false},
		{"https://a.example", true, URL{"wss", "a.example", "", "/x"}, false},
		{"https://a.example", true, URL{"https", "b.a.example", "", "/x"}, false},
		{"http://a.example", true, URL{"https", "a.example", "", "/x"}, true},
		{"http://a.example:80", true, URL{"https", "a.example", "", "/x"}, true},
		{"http://a.example:8080", true, URL{"https", "a.example", "", "/x"}, false},
		{"https://a.example:*", true, URL{"https", "a.example", "1", "/x"}, true},
		{"https://*.a.example", true, URL{"https", "c.b.a.example", "", "/"}, true},
		{"https://*.a.example", true, URL{"https", "a.example", "", "/"}, false},
		{"https://*.a.example", true, URL{"https", "xa.example", "", "/"}, false},
		{"https://a.example/p/", true, URL{"https", "a.example", "", "/p/q/r"}, true},
		{"https://a.example/p/", true, URL{"https", "a.example", "", "/p/"}, true},
		{"https://a.example/p/", true, URL{"https", "a.example", "", "/p"}, false},
		{"https://a.example/p", true, URL{"https", "a.example", "", "/p/"}, false},
		{"https://a.example/p", true, URL{"https", "a.example", "", "/P"}, false},
		{"https://a.example/%3B", true, URL{"https", "a.example", "", "/;"}, true},
		{"https://a.example/p", true, URL{"https", "a.example", "", "/%70"}, true},
		{"https://a.example/*", true, URL{"https", "a.example", "", "/x"}, false},
		{"https:", true, URL{"https", "a.example", "8443", "/x"}, true},
		{"https:", true, URL{"http", "a.example", "", "/x"}, false},
		{"http:", true, URL{"https", "a.example", "", "/x"}, true},
		{"blob:", true, URL{"https", "a.example", "", "/x"}, false},
		{"https://a.example/*", false, URL{"https", "a.example", "", "/x/y"}, true},
		{"https://a.example/*", false, URL{"https", "a.example", "8443", "/"}, false},
		{"https://a.example:*/*", false, URL{"https", "a.example", "8443", "/"}, true},
		{"https://a.example:*/*", false, URL{"https", "a.example", "", "/"}, true},
		{"https://*.a.example/p", false, URL{"https", "b.a.example", "", "/p"}, true},
		{"https://*.a.example/p", false, URL{"https", "a.example", "", "/p"}, false},
		{"https://*.a.example/p", false, URL{"https", "b.a.example", "", "/%70"}, false},
		{`https://a.example/\*`, false, URL{"https", "a.example", "", "/x"}, false},
		{`https://a.example/\*`, false, URL{"https", "a.example", "", "/*"}, true},
		{"https://a.example/p", false, URL{"http", "a.example", "", "/p"}, false},
		{"https://*:*/*", false, URL{"https", "a.example", "8443", "/"}, true},
		{"https://a.example/*/b*/c", false, URL{"https", "a.example", "", "/b/b/bc/c"}, true},
		{"https://a.example/*/b*/c", false, URL{"https", "a.example", "", "/b/b/bc/d"}, false},
		{"https://a.example/p*", false, URL{"https", "a.example", "", "/p"}, true},
	} {
		got := false
		if c.csp {
			s, err := ParseSource(c.pattern)
			got = s.Match(c.u)
			if err != nil {
				t.Error(err)
			}
		} else {
			p, err := ParsePattern(c.pattern)
			got = p.Match(c.u)
			if err != nil {
				t.Error(err)
			}
		}
		if got != c.want {
			t.Errorf("%s on %+v: %v, want %v", c.pattern, c.u, got, c.want)
		}
	}
	for _, bad := range []string{"a.example", "https://", "https://*.", "https://a_b.example", "https://[::1]", "https://a-*.example", "https://a.example//x", "https://a.example/x,y", "https://a.example:x", "https://a.example/%zz"} {
		if s, err := ParseSource(bad); err == nil {
			t.Errorf("the source %q is taken for %+v", bad, s)
		}
	}
	for _, bad := range []string{"a.example/*", "https://a.example", "https://a.example/**", "https://a.example/x+", "https://a.example/:x", "https://a.example/{x}", "https://a.example/(x)", "https://a.example/x?"} {
		if p, err := ParsePattern(bad); err == nil {
			t.Errorf("the pattern %q is taken for %+v", bad, p)
		}
	}
}

// Headers with a part that a browser would silently ignore are errors. Other headers are not.
func TestHeaders(t *testing.T) {
	for _, c := range []struct {
		name, value string
		ok          bool
	}{
		{"Content-Security-Policy", "default-src 'none'; connect-src 'self' https://a.example", true},
		{"Content-Security-Policy", "default-src 'none', connect-src 'self'", false},
		{"Content-Security-Policy", "default-src 'none';", false},
		{"Content-Security-Policy", "img-src data:; img-src blob:", false},
		{"Content-Security-Policy", "img-src 'none' https://a.example", false},
		{"Connection-Allowlist", "()", true},
		{"Connection-Allowlist", `(response-origin "https://a.example/*")`, true},
		{"Connection-Allowlist", `("https://a.example/\\*" "https://b.example/*")`, true},
		{"Connection-Allowlist", `("https://a.example/*"), ()`, false},
		{"Connection-Allowlist", `("https://a.example/*");redirects=allow`, false},
		{"Connection-Allowlist", `("https://a.example/*"  "https://b.example/*")`, false},
		{"Connection-Allowlist", `("https://a.example/\*")`, false},
		{"Connection-Allowlist", `("https://a.example/*`, false},
	} {
		header := http.Header{c.name: {c.value}}
		var err error
		if c.name == "Connection-Allowlist" {
			_, _, err = Connections(header)
		} else {
			_, err = Directives(header)
		}
		if (err == nil) != c.ok {
			t.Errorf("%s: %s: %v", c.name, c.value, err)
		}
	}
	if ok, err := Allows([]string{"'self'", "https://a.example", "https://a_b.example"}, URL{"https", "a.example", "", "/"}); err == nil || ok {
		t.Errorf("a source that a browser drops is passed over: %v, %v", ok, err)
	}
	if ok, err := Connects([]string{"https://a.example/*", "https://b.example/x?"}, URL{"https", "a.example", "", "/"}); err == nil || ok {
		t.Errorf("a pattern that a browser reads as something else is passed over: %v, %v", ok, err)
	}
}
