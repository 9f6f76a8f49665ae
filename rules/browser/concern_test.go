package browser_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/rules/browser"
)

// The cases that need no browser. The independent model of a browser in package firewall's
// tests judges the others.
func TestCoveringSources(t *testing.T) {
	for _, c := range []struct {
		source, url string
		want        bool
	}{
		{"https://a.example", "https://a.example/x?y", true},
		{"https://a.example", "HTTPS://A.example:443", true},
		{"https://a.example", "https://a.example:8443/", false},
		{"https://a.example", "http://a.example/", false},
		{"https://a.example", "wss://a.example/", false},
		{"https://a.example", "https://b.a.example/", false},
		{"http://a.example", "https://a.example/", true},
		{"http://a.example:80", "https://a.example/", true},
		{"http://a.example:8080", "https://a.example/", false},
		{"ws://a.example", "wss://a.example/", true},
		{"wss://a.example", "ws://a.example/", false},
		{"wss://a.example", "https://a.example/", false},
		{"ws://a.example", "http://a.example/", false},
		{"http://a.example", "ws://a.example/", false},
		{"nothing:", "a.example", false},
		{"https://a.example:*", "https://a.example:1/", true},
		{"https://*.a.example", "https://c.b.a.example/", true},
		{"https://*.a.example", "https://a.example/", false},
		{"https://*.a.example", "https://xa.example/", false},
		{"https://a.example/p/", "https://a.example/p/q/r", true},
		{"https://a.example/p/", "https://a.example/p/", true},
		{"https://a.example/p/", "https://a.example/p", false},
		{"https://a.example/p", "https://a.example/p/", false},
		{"https://a.example/p", "https://a.example/P", false},
		{"https://a.example/p", "https://a.example/%70", true},
		{"https://a.example/%3B", "https://a.example/;", true},
		{"https://a.example/p", "https://a.example/x/../p", true},
		{"https:", "https://a.example/", true},
		{"https:", "http://a.example/", false},
		{"http:", "https://a.example/", true},
		{"data:", "data:,x", true},
		{"blob:", "data:,x", false},
		{"'self'", "https://a.example/", false},
		{"https://a.example", "https://user@a.example/", true}, // browsers' policies ignore user names
		{"https://a.example", "a.example", false},
		{"https://a.example/p/", "https://a.example/p/" + strings.Repeat("x/", 1<<20), true},
	} {
		got := browser.CoveringSources([]string{c.source, "https://other.example"}, c.url)
		if want := map[bool][]string{true: {c.source}, false: {}}[c.want]; got == nil || !slices.Equal(got, want) {
			t.Errorf("%s on %.80s: %q", c.source, c.url, got)
		}
	}
}

func TestCoveringPatterns(t *testing.T) {
	for _, c := range []struct {
		pattern, url string
		want         bool
	}{
		{"https://a.example/*", "https://a.example/x/y?z", true},
		{"https://a.example/*", "https://a.example:8443/", false},
		{"https://a.example/*", "http://a.example/", false},
		{"https://a.example:*/*", "https://a.example:8443/", true},
		{"https://a.example:*/*", "https://a.example/", true},
		{"https://*.a.example/p", "https://b.a.example/p", true},
		{"https://*.a.example/p", "https://a.example/p", false},
		{"https://a.example/p", "https://a.example/%70", false},
		{`https://a.example/\*`, "https://a.example/x", false},
		{`https://a.example/\*`, "https://a.example/*", true},
		{"https://a.example/*/b/*.js", "https://a.example/x/b/c/b/.js", true},
		{"https://a.example/*/b/*.js", "https://a.example/b/.js", false},
		{"https://a.example/a*a", "https://a.example/a", false}, // one character cannot match both
		{"https://*:*/*", "https://anything:1/x", true},
		{"https://a.example/" + strings.Repeat("*a", 60) + "b", "https://a.example/" + strings.Repeat("a", 8000), false},
	} {
		got := browser.CoveringPatterns([]string{"https://other.example/*", c.pattern}, c.url)
		if want := map[bool][]string{true: {c.pattern}, false: {}}[c.want]; got == nil || !slices.Equal(got, want) {
			t.Errorf("%s on %.80s: %q", c.pattern, c.url, got)
		}
	}
}
