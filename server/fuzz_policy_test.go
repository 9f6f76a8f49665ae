package server

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/firewall"
	"github.com/bellglass/bellglass/rules"
)

// No pattern of a policy breaks out of its place in a header. The policy has the same
// directives, each source is one source, and the allowlist is one list of strings.
func FuzzPolicyHeaders(f *testing.F) {
	for _, seed := range []string{
		"https://api.example.com/v1/**", "https://*.cdn.example.com", "wss://live.example.com", "http://localhost:*/a/*.js", "https://a.example/lib;1/x",
		"https://a.example/a,b", "https://a.example/'self'", `https://a.example/"`, "https://a.example/ x", "https://bücher.example/ü", "https://a.example/%3b",
		"https://{a,b}.example/{c,d}/*", "https://a.example/:name/(x)/{y}+?", `https://a.example/\`, "https://a.example;script-src *", "https://a.example\r\nX: y",
		"https://a.example/*;default-src *", "http://10.0.0.1:8080/**", "https://[::1]/", "https://*", "*://a.example",
	} {
		f.Add(seed, "fetch")
		f.Add(seed, "script")
		f.Add(seed, "frame")
	}
	site := firewall.Site{Inner: "http://i.example", Outer: "http://o.example", Embedders: []string{"http://localhost:3333"}}
	names := map[firewall.Class][]string{
		firewall.Inner: {
			"default-src", "script-src", "style-src", "img-src", "font-src", "media-src", "connect-src", "worker-src", "frame-src",
			"manifest-src", "object-src", "base-uri", "form-action", "frame-ancestors", "sandbox",
		},
		firewall.WorkerScript: {"default-src", "connect-src"},
	}
	accepted := regexp.MustCompile(`\A(https?|wss?)://(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*(:([0-9]+|\*))?(/[A-Za-z0-9._~!$&'()*+=:@/%-]*)?\z`)
	keywords := regexp.MustCompile(`\A('self'|'none'|'unsafe-inline'|'unsafe-eval'|'wasm-unsafe-eval'|data:|blob:|allow-(scripts|same-origin|forms)|http://(i|o)\.example|http://localhost:3333)\z`)
	f.Fuzz(func(t *testing.T, pattern, kind string) {
		text := fmt.Sprintf("version: 1\nscripts: [inline, eval, wasm, blob]\nrules:\n  - allow: %q\n    types: [%q]\n", pattern, kind)
		if strings.HasPrefix(pattern, "ws") {
			text = fmt.Sprintf("version: 1\nrules:\n  - allow: %q\n", pattern)
		}
		policy, err := rules.Parse("rules.yaml", []byte(text))
		if err != nil {
			return
		}
		for class, want := range names {
			h := firewall.New(policy).Headers(class, site)
			if err := policed(h); err != nil {
				t.Errorf("%q: %v", pattern, err)
			}
			csp := h.Get("Content-Security-Policy")
			if got := directives(csp); !slices.Equal(got, want) {
				t.Errorf("%q: the policy %q has the directives %q", pattern, csp, got)
			}
			for directive := range strings.SplitSeq(csp, "; ") {
				for _, source := range strings.Split(directive, " ")[1:] {
					if !keywords.MatchString(source) && !accepted.MatchString(source) {
						t.Errorf("%q: the source %q of %q", pattern, source, csp)
					}
				}
			}
			checkAllowlist(t, pattern, h)
		}
	})
}

// checkAllowlist parses the header by RFC 9651, section 4.2.1.2, and each of its strings as
// URLPattern does. Characters with a meaning in URLPattern must be escaped, except for the
// asterisk.
func checkAllowlist(t *testing.T, pattern string, h http.Header) {
	t.Helper()
	text := h.Get("Connection-Allowlist")
	rest, found := strings.CutPrefix(text, "(response-origin")
	if !found {
		t.Fatalf("%q: the allowlist is %q", pattern, text)
	}
	for rest != ")" {
		var item strings.Builder
		if rest, found = strings.CutPrefix(rest, ` "`); !found {
			t.Fatalf("%q: the allowlist is %q, at %q", pattern, text, rest)
		}
		for rest[0] != '"' {
			if rest[0] == '\\' {
				rest = rest[1:]
				if rest[0] != '"' && rest[0] != '\\' {
					t.Fatalf("%q: the allowlist %q escapes %q", pattern, text, rest[0])
				}
			}
			if rest[0] <= ' ' || rest[0] >= 0x7f {
				t.Fatalf("%q: the allowlist %q has the byte %q", pattern, text, rest[0])
			}
			item.WriteByte(rest[0])
			rest = rest[1:]
		}
		rest = rest[1:]
		_, path, _ := strings.Cut(strings.SplitN(item.String(), "://", 2)[1], "/")
		for i := range len(path) {
			if strings.IndexByte("+?:{}()#", path[i]) >= 0 && (i == 0 || path[i-1] != '\\') {
				t.Errorf("%q: the allowlist's %q has a %q that URLPattern reads as more than itself", pattern, item.String(), path[i])
			}
		}
	}
}
