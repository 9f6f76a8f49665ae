package rules_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/rules"
)

// The independent model of a browser, in package firewall's tests, judges the
// rest.
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
		{"https://a.example", "https://user@a.example/", true}, // a browser's policy looks at no user name
		{"https://a.example", "a.example", false},
		{"https://a.example/p/", "https://a.example/p/" + strings.Repeat("x/", 1<<20), true},
	} {
		got := rules.CoveringSources([]string{c.source, "https://other.example"}, c.url)
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
		{"https://a.example/a*a", "https://a.example/a", false}, // the two must not share one character
		{"https://*:*/*", "https://anything:1/x", true},
		{"https://a.example/" + strings.Repeat("*a", 60) + "b", "https://a.example/" + strings.Repeat("a", 8000), false},
	} {
		got := rules.CoveringPatterns([]string{"https://other.example/*", c.pattern}, c.url)
		if want := map[bool][]string{true: {c.pattern}, false: {}}[c.want]; got == nil || !slices.Equal(got, want) {
			t.Errorf("%s on %.80s: %q", c.pattern, c.url, got)
		}
	}
}

func TestWordsOfACommandLine(t *testing.T) {
	for _, m := range rules.Methods {
		if got, err := rules.ParseMethod(m); got != m || err != nil {
			t.Errorf("%s: %q, %v", m, got, err)
		}
	}
	for _, kind := range rules.Types {
		if got, err := rules.ParseType(string(kind)); got != kind || err != nil {
			t.Errorf("%s: %q, %v", kind, got, err)
		}
	}
	for text, says := range map[string]string{"get": "did you mean GET?", "GTE": "did you mean GET?", "": "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS", "PROPFIND": `unknown method "PROPFIND"; the methods are`} {
		if _, err := rules.ParseMethod(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %s", text, err, says)
		}
	}
	for text, says := range map[string]string{"Image": "did you mean image?", "scirpt": "did you mean script?", "xmlhttprequest": "fetch, script, style, image, font, media, frame, worker, websocket"} {
		if _, err := rules.ParseType(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %s", text, err, says)
		}
	}
	for url, want := range map[string]rules.Type{"wss://a/": rules.TypeWebSocket, "WS://a/": rules.TypeWebSocket, "https://a/": rules.TypeFetch, "": rules.TypeFetch} {
		if got := rules.DefaultType(url); got != want {
			t.Errorf("%q: %s", url, got)
		}
	}
}

// RunTests and Load judge the tests alike, and RunTests shows those that pass
// beside one that fails.
func TestRunTests(t *testing.T) {
	text := "version: 1\nrules: [{id: a, allow: https://a.example.com}]\ntests:\n  - {url: https://a.example.com/, expect: allow}\n"
	failing := "  - {url: https://a.example.com/, expect: block}\n"
	results, err := rules.RunTests("p.yaml", inMemory("p.yaml", text))
	if err != nil || len(results) != 1 || results[0].Failure != nil || results[0].Verdict.Rule != "a" || results[0].File != "p.yaml" || results[0].Pos.Line != 4 {
		t.Errorf("%+v, %v", results, err)
	}
	results, err = rules.RunTests("p.yaml", inMemory("p.yaml", text+failing))
	if err != nil || len(results) != 2 || results[0].Failure != nil || results[1].Failure == nil {
		t.Fatalf("%+v, %v", results, err)
	}
	_, err = rules.Load("p.yaml", inMemory("p.yaml", text+failing))
	if got := results[1].Failure.Error(); err == nil || err.Error() != got {
		t.Errorf("Load says %v, and RunTests %s", err, got)
	}
	if _, err := rules.RunTests("p.yaml", inMemory("p.yaml", text+"  - {}\n")); err == nil || !strings.Contains(err.Error(), "the test has no url") {
		t.Errorf("another mistake: %v", err)
	}
	if _, err := rules.RunTests("none.yaml", inMemory()); err == nil || !strings.Contains(err.Error(), "cannot read the policy") {
		t.Errorf("no file: %v", err)
	}
	if results, err := rules.RunTests("p.yaml", inMemory("p.yaml", "version: 1\n")); err != nil || len(results) != 0 {
		t.Errorf("no tests: %v, %v", results, err)
	}
}
