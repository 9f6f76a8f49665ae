package rule

import (
	"strings"
	"testing"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

func TestCanonicalURL(t *testing.T) {
	for _, c := range []struct{ raw, want string }{
		{"https://example.com", "https://example.com/"},
		{"HTTPS://Example.COM:443/a/../b?q=1#f", "https://example.com/b?q=1"},
		{" https:\\\\example.com\\a\t ", "https://example.com/a"},
		{"http://0x7f.1:8080/", "http://127.0.0.1:8080/"},
		{"https://[2001:DB8:0::1]/", "https://[2001:db8::1]/"},
		{"wss://example.com:443/s", "wss://example.com/s"},
		{"https://bücher.example/é", "https://xn--bcher-kva.example/%C3%A9"},
		{"https://example.com/%7e%28%c3%a9%5b", "https://example.com/~(%C3%A9%5B"},
		{"https://example.com/?", "https://example.com/?"},
		{"https://example.com/#", "https://example.com/"},
		{"https://example.com?%2f%zz", "https://example.com/?%2f%zz"},
	} {
		got, err := CanonicalURL(c.raw)
		if err != nil || got != c.want {
			t.Errorf("%q: got %q, %v; want %q", c.raw, got, err, c.want)
			continue
		}
		if again, err := CanonicalURL(got); err != nil || again != got {
			t.Errorf("%q is not its own canonical form: got %q, %v", got, again, err)
		}
	}
}

func TestCanonicalURLRefuses(t *testing.T) {
	for _, c := range []struct {
		raw, says string
		code      Code
	}{
		{"", "parsed", CodeNoncanonical},
		{"/relative", "parsed", CodeNoncanonical},
		{"https://", "parsed", CodeNoncanonical},
		{"https://xn--a.example.com/", "parsed", CodeNoncanonical},
		{"https://a:b@example.com/", "user name", CodeNoncanonical},
		{"https://example.com./", "ends in a dot", CodeNoncanonical},
		{"https://a..example.com/", "empty label", CodeNoncanonical},
		{"https://-a.example.com/", "hyphen", CodeNoncanonical},
		{"https://a~b.example.com/", "the character '~'", CodeNoncanonical},
		{"https://example.com:0/", "port", CodeNoncanonical},
		{"https://[::ffff:1.2.3.4]/", "1.2.3.4", CodeNoncanonical},
		{"https://example.com/%2f", "encoded slash", CodeNoncanonical},
		{"data:,x", "only http", CodeUnsupportedScheme},
		{"https://example.com/" + strings.Repeat("a", MaxURL), "bytes", CodeTooLong},
	} {
		got, err := CanonicalURL(c.raw)
		if err == nil || got != "" || !strings.Contains(err.Error(), c.says) || CodeOf(err) != c.code {
			t.Errorf("%.60q: got %q, %v; want an error with %q and code %s", c.raw, got, err, c.says, c.code)
		}
	}
}

// The strict profile does not rely on the parser. It also rejects texts that no parser of the
// URL Standard would write.
func TestStrictRefusesWhatNoParserWrites(t *testing.T) {
	for _, serialized := range []string{
		"https://example.com", "https://?", "https:///", "https://example.com?/", "https://EXAMPLE.com/", "https://example.com:443/",
		"https://example.com:0443/", "https://example.com:/", "https://example.com/a b", "https://example.com/é", "https://example.com/a\\b",
		"https://example.com/../a", "https://example.com/%2e%2e/a", "https://127.1/", "https://0x7f.1/", "https://1.2.3.4.5/", "https://01.2.3.4/",
		"https://[::1/", "https://[::g]/", "https://[0:0::1]/", "https://[::1%25eth0]/", "https://[1.2.3.4]/", "HTTPS://example.com/", "//example.com/",
	} {
		var got Location
		if strict(serialized, &got) == nil || settled(serialized, 1, &got) {
			t.Errorf("%q: accepted as %+v", serialized, got)
		}
	}
}

func FuzzCanonicalURL(f *testing.F) {
	for _, seed := range []string{"https://a:b@example.com:8443/a/../%41?q#f", "http://0x7f.1/", "wss://[::1]/", "data:,x", `ws:0?\`, "https://bücher.example/%2f"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		once, err := CanonicalURL(raw)
		if err != nil {
			return
		}
		twice, err := CanonicalURL(once)
		if err != nil || once != twice {
			t.Errorf("%q: once %q, twice %q, %v", raw, once, twice, err)
		}
		// The shortcut and the parser return the same URL.
		parsed, err := whatwg.Parse(raw)
		if err != nil {
			t.Fatalf("%q: accepted, but it does not parse: %v", raw, err)
		}
		var slow Location
		if err := strict(parsed.Href(true), &slow); err != nil || slow.Text != once {
			t.Errorf("%q: got %q, through the parser %q, %v", raw, once, slow.Text, err)
		}
		// A backslash means a slash in a path, and itself in a query.
		path, _, _ := strings.Cut(once, "?")
		if strings.ContainsAny(once, "# ") || strings.Contains(path, `\`) || strings.Contains(strings.SplitN(once, "/", 4)[2], "@") {
			t.Errorf("%q: %q is not canonical", raw, once)
		}
	})
}
