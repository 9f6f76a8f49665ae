package server

import (
	"regexp"
	"strings"
	"testing"
)

// A Host header names a host of ours exactly if it is one of these texts. A regular expression
// with (?i) would also fold characters beyond ASCII.
func FuzzHost(f *testing.F) {
	c := Config{}
	if err := c.setDefaults(); err != nil {
		f.Fatal(err)
	}
	id := strings.Repeat("a2", idLength/2)
	for _, seed := range []string{
		"", "localhost:3333", "LocalHost:3333", "127.0.0.1:3333", "[::1]:3333", "sandbox.localhost:3333", id + ".sandbox.localhost:3333",
		strings.ToUpper(id) + ".SANDBOX.localhost:3333", "localhost", "localhost.:3333", "localhost:03333", "user@localhost:3333",
		"İ" + id[1:] + ".sandbox.localhost:3333", id[1:] + "\u212a.sandbox.localhost:3333", "[::1%25lo]:3333", "x." + id + ".sandbox.localhost:3333",
		id + ".localhost:3333", "sandbox.localhost:3333.evil.test", "localhost:3333\x00", " localhost:3333", "127.0.0.1:3333:3333",
	} {
		f.Add(seed)
	}
	lower := func(s string) string {
		b := []byte(s)
		for i := range b {
			if b[i] >= 'A' && b[i] <= 'Z' {
				b[i] += 'a' - 'A'
			}
		}
		return string(b)
	}
	inner := regexp.MustCompile(`\A([a-z2-7]{26})\.sandbox\.localhost:3333\z`)
	f.Fuzz(func(t *testing.T, header string) {
		text := lower(header)
		want, wantID := unknownHost, ""
		switch match := inner.FindStringSubmatch(text); {
		case text == "localhost:3333", text == "127.0.0.1:3333":
			want = pageHost
		case text == "[::1]:3333":
			want = hostAlias
		case text == "sandbox.localhost:3333":
			want = outerHost
		case match != nil:
			want, wantID = innerHost, match[1]
		}
		if where, id := c.lookup(header); where != want || id != wantID {
			t.Errorf("%q is %d %q, want %d %q", header, where, id, want, wantID)
		}
	})
}
