package firewall_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// What a browser makes of the headers, written from the specifications and not
// from the code that it judges.

// A sent is a URL as the browser has serialised it, in the parts that policies
// look at. port is "" for the scheme's default.
type sent struct{ scheme, host, port, path string }

var defaultPorts = map[string]string{"http": "80", "https": "443", "ws": "80", "wss": "443"}

// directives reads a Content-Security-Policy header (CSP Level 3, section
// 2.2.1). What the specification lets a browser ignore silently is a failure.
func directives(t testing.TB, header http.Header) map[string][]string {
	t.Helper()
	value := header.Get("Content-Security-Policy")
	if strings.Contains(value, ",") {
		t.Fatalf("more than one policy in %q", value)
	}
	all := map[string][]string{}
	for _, text := range strings.Split(value, ";") {
		words := strings.Fields(text)
		if len(words) == 0 {
			t.Fatalf("an empty directive in %q", value)
		}
		if _, twice := all[words[0]]; twice {
			t.Fatalf("the directive %s twice in %q", words[0], value)
		}
		all[words[0]] = words[1:]
		if slices.Contains(words, "'none'") && len(words) > 2 {
			t.Fatalf("'none' is not alone, so it means nothing: %q", text)
		}
	}
	return all
}

// A hostSource is a host-source expression (CSP Level 3, section 2.3.1).
type hostSource struct {
	scheme, host, port, path string
	sub                      bool
}

// parseHostSource follows the grammar. A source that does not is one that the
// browser drops, so it allows nothing.
func parseHostSource(source string) (s hostSource, err error) {
	rest, ok := "", false
	if s.scheme, rest, ok = strings.Cut(source, "://"); !ok || defaultPorts[s.scheme] == "" {
		return s, fmt.Errorf("%q has no scheme", source)
	}
	s.host = rest
	if slash := strings.IndexByte(rest, '/'); slash >= 0 {
		s.host, s.path = rest[:slash], rest[slash:]
	}
	if colon := strings.IndexByte(s.host, ':'); colon >= 0 {
		s.host, s.port = s.host[:colon], s.host[colon+1:]
		if s.port == "" || s.port != "*" && strings.Trim(s.port, "0123456789") != "" {
			return s, fmt.Errorf("%q has the port %q", source, s.port)
		}
	}
	if s.host == "*" {
		return s, nil
	}
	s.host, s.sub = strings.CutPrefix(s.host, "*.")
	for _, label := range strings.Split(s.host, ".") {
		if label == "" || strings.Trim(strings.ToLower(label), "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			return s, fmt.Errorf("%q has the label %q", source, label)
		}
	}
	// path-part is path-absolute of RFC 3986, which has no two slashes at the
	// beginning, without ";" and ",".
	if strings.HasPrefix(s.path, "//") {
		return s, fmt.Errorf("the path of %q begins with two slashes", source)
	}
	if wrong := strings.Trim(strings.ToLower(s.path), "abcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+=:@/%"); wrong != "" {
		return s, fmt.Errorf("%q has %q in its path", source, wrong)
	}
	if _, err := url.PathUnescape(s.path); err != nil {
		return s, fmt.Errorf("%q: %w", source, err)
	}
	return s, nil
}

// match is CSP Level 3, sections 6.7.2.8 to 6.7.2.12. On IP addresses it does as
// all browsers do, which compare them like names.
func (s hostSource) match(u sent) bool {
	return s.matchScheme(u) && s.matchHost(u) && s.matchPort(u) && s.matchPath(u)
}

func (s hostSource) matchScheme(u sent) bool {
	upgrades := map[string][]string{"http": {"https"}, "ws": {"wss", "http", "https"}, "wss": {"https"}}
	return s.scheme == u.scheme || slices.Contains(upgrades[s.scheme], u.scheme)
}

func (s hostSource) matchHost(u sent) bool {
	switch {
	case s.host == "*":
		return true
	case s.sub:
		return strings.HasSuffix(u.host, "."+s.host)
	}
	return s.host == u.host
}

func (s hostSource) matchPort(u sent) bool {
	switch {
	case s.port == "*":
		return true
	case s.port == "":
		return u.port == ""
	case u.port == "":
		// An upgraded scheme takes the port with it.
		return s.port == defaultPorts[u.scheme] || s.port == "80" && defaultPorts[u.scheme] == "443"
	}
	return s.port == u.port
}

func (s hostSource) matchPath(u sent) bool {
	if s.path == "" {
		return true
	}
	want, got := strings.Split(s.path, "/"), strings.Split(u.path, "/")
	if strings.HasSuffix(s.path, "/") {
		want = want[:len(want)-1]
		if len(got) < len(want)+1 {
			return false
		}
	} else if len(got) != len(want) {
		return false
	}
	for i := range want {
		if unescape(want[i]) != unescape(got[i]) {
			return false
		}
	}
	return true
}

// unescape is the URL Standard's percent-decode: what is no encoding stays.
func unescape(text string) string {
	if decoded, err := url.PathUnescape(text); err == nil {
		return decoded
	}
	return text
}

// allows reports whether one of the host sources matches. Keywords and schemes
// are not counted: no URL that is drawn is the sandbox's own.
func allows(t testing.TB, sources []string, u sent) bool {
	t.Helper()
	for _, source := range sources {
		if strings.HasPrefix(source, "'") || strings.HasSuffix(source, ":") {
			continue
		}
		s, err := parseHostSource(source)
		if err != nil {
			t.Errorf("the browser drops a source: %v", err)
		} else if s.match(u) {
			return true
		}
	}
	return false
}

// connections reads a Connection-Allowlist header: one inner list of RFC 9651
// with strings and the token response-origin, and no parameter anywhere.
func connections(t testing.TB, header http.Header) (self bool, patterns []string) {
	t.Helper()
	value := header.Get("Connection-Allowlist")
	rest, ok := strings.CutPrefix(value, "(")
	for first := true; ok && rest != ")"; first = false {
		if !first {
			if rest, ok = strings.CutPrefix(rest, " "); !ok {
				break
			}
		}
		if after, found := strings.CutPrefix(rest, "response-origin"); found {
			self, rest = true, after
			continue
		}
		if rest, ok = strings.CutPrefix(rest, `"`); !ok {
			break
		}
		var text strings.Builder
		for ok = false; rest != "" && !ok; rest = rest[1:] {
			switch c := rest[0]; {
			case c == '"':
				ok = true
			case c == '\\' && len(rest) > 1 && (rest[1] == '"' || rest[1] == '\\'):
				rest = rest[1:]
				text.WriteByte(rest[0])
			case c == '\\' || c < ' ' || c > '~':
				t.Fatalf("the Connection-Allowlist %q holds a string that is none at %q", value, rest)
			default:
				text.WriteByte(c)
			}
		}
		patterns = append(patterns, text.String())
	}
	if !ok {
		t.Fatalf("the Connection-Allowlist %q is no single inner list at %q", value, rest)
	}
	return self, patterns
}

// A urlPattern is a URLPattern string (https://urlpattern.spec.whatwg.org) of
// literals, escapes and asterisks, which is all that may be sent.
type urlPattern struct{ scheme, host, port, path []token }

// A token is a literal byte, or with star any run of bytes.
type token struct {
	literal byte
	star    bool
}

func parseURLPattern(text string) (p urlPattern, err error) {
	scheme, rest, ok := strings.Cut(text, "://")
	if !ok || defaultPorts[scheme] == "" {
		return p, fmt.Errorf("%q has no scheme", text)
	}
	parts, at := [3][]token{}, 0 // host, port, path
	for ; rest != ""; rest = rest[1:] {
		c := rest[0]
		switch {
		case c == '\\' && len(rest) > 1:
			rest = rest[1:]
			parts[at] = append(parts[at], token{literal: rest[0]})
		case c == '*' && len(parts[at]) > 0 && parts[at][len(parts[at])-1].star:
			return p, fmt.Errorf("%q has an asterisk that modifies another", text)
		case c == '*':
			parts[at] = append(parts[at], token{star: true})
		case c == ':' && at == 0:
			at = 1
		case c == '/' && at < 2:
			at = 2
			parts[at] = append(parts[at], token{literal: c})
		case strings.IndexByte(`:+?(){}\#`, c) >= 0:
			return p, fmt.Errorf("%q has a %q that is not escaped", text, c)
		default:
			parts[at] = append(parts[at], token{literal: c})
		}
	}
	for _, c := range []byte(scheme) {
		p.scheme = append(p.scheme, token{literal: c})
	}
	if at != 2 {
		return p, fmt.Errorf("%q has no path, which would stand for any search and hash too", text)
	}
	p.host, p.port, p.path = parts[0], parts[1], parts[2]
	return p, nil
}

func (p urlPattern) match(u sent) bool {
	return matchTokens(p.scheme, u.scheme) && matchTokens(p.host, u.host) && matchTokens(p.port, u.port) && matchTokens(p.path, u.path)
}

func matchTokens(pattern []token, text string) bool {
	for i, t := range pattern {
		if t.star {
			for n := 0; n <= len(text); n++ {
				if matchTokens(pattern[i+1:], text[n:]) {
					return true
				}
			}
			return false
		}
		if text == "" || text[0] != t.literal {
			return false
		}
		text = text[1:]
	}
	return text == ""
}

// connects reports whether the header lets a connection to the URL through.
func connects(t testing.TB, header http.Header, u sent) bool {
	t.Helper()
	_, patterns := connections(t, header)
	for _, text := range patterns {
		p, err := parseURLPattern(text)
		if err != nil {
			t.Errorf("the browser takes the pattern for something else: %v", err)
		} else if p.match(u) {
			return true
		}
	}
	return false
}

// A model that says yes to everything would make the tests on it pass.
func TestModels(t *testing.T) {
	for _, c := range []struct {
		pattern string
		csp     bool // otherwise a URLPattern
		u       sent
		want    bool
	}{
		{"https://a.example", true, sent{"https", "a.example", "", "/x"}, true},
		{"https://a.example", true, sent{"https", "a.example", "8443", "/x"}, false},
		{"https://a.example", true, sent{"http", "a.example", "", "/x"}, false},
		{"https://a.example", true, sent{"wss", "a.example", "", "/x"}, false},
		{"https://a.example", true, sent{"https", "b.a.example", "", "/x"}, false},
		{"http://a.example", true, sent{"https", "a.example", "", "/x"}, true},
		{"http://a.example:80", true, sent{"https", "a.example", "", "/x"}, true},
		{"http://a.example:8080", true, sent{"https", "a.example", "", "/x"}, false},
		{"https://a.example:*", true, sent{"https", "a.example", "1", "/x"}, true},
		{"https://*.a.example", true, sent{"https", "c.b.a.example", "", "/"}, true},
		{"https://*.a.example", true, sent{"https", "a.example", "", "/"}, false},
		{"https://*.a.example", true, sent{"https", "xa.example", "", "/"}, false},
		{"https://a.example/p/", true, sent{"https", "a.example", "", "/p/q/r"}, true},
		{"https://a.example/p/", true, sent{"https", "a.example", "", "/p/"}, true},
		{"https://a.example/p/", true, sent{"https", "a.example", "", "/p"}, false},
		{"https://a.example/p", true, sent{"https", "a.example", "", "/p/"}, false},
		{"https://a.example/p", true, sent{"https", "a.example", "", "/P"}, false},
		{"https://a.example/%3B", true, sent{"https", "a.example", "", "/;"}, true},
		{"https://a.example/p", true, sent{"https", "a.example", "", "/%70"}, true},
		{"https://a.example/*", true, sent{"https", "a.example", "", "/x"}, false},
		{"https://a.example/*", false, sent{"https", "a.example", "", "/x/y"}, true},
		{"https://a.example/*", false, sent{"https", "a.example", "8443", "/"}, false},
		{"https://a.example:*/*", false, sent{"https", "a.example", "8443", "/"}, true},
		{"https://a.example:*/*", false, sent{"https", "a.example", "", "/"}, true},
		{"https://*.a.example/p", false, sent{"https", "b.a.example", "", "/p"}, true},
		{"https://*.a.example/p", false, sent{"https", "a.example", "", "/p"}, false},
		{"https://*.a.example/p", false, sent{"https", "b.a.example", "", "/%70"}, false},
		{`https://a.example/\*`, false, sent{"https", "a.example", "", "/x"}, false},
		{`https://a.example/\*`, false, sent{"https", "a.example", "", "/*"}, true},
		{"https://a.example/p", false, sent{"http", "a.example", "", "/p"}, false},
	} {
		got := false
		if c.csp {
			s, err := parseHostSource(c.pattern)
			got = s.match(c.u)
			if err != nil {
				t.Error(err)
			}
		} else {
			p, err := parseURLPattern(c.pattern)
			got = p.match(c.u)
			if err != nil {
				t.Error(err)
			}
		}
		if got != c.want {
			t.Errorf("%s on %+v: %v, want %v", c.pattern, c.u, got, c.want)
		}
	}
	for _, bad := range []string{"a.example", "https://", "https://*.", "https://a_b.example", "https://[::1]", "https://a-*.example", "https://a.example//x", "https://a.example/x,y", "https://a.example:x", "https://a.example/%zz"} {
		if s, err := parseHostSource(bad); err == nil {
			t.Errorf("the source %q is taken for %+v", bad, s)
		}
	}
	for _, bad := range []string{"a.example/*", "https://a.example", "https://a.example/**", "https://a.example/x+", "https://a.example/:x", "https://a.example/{x}", "https://a.example/(x)", "https://a.example/x?"} {
		if p, err := parseURLPattern(bad); err == nil {
			t.Errorf("the pattern %q is taken for %+v", bad, p)
		}
	}
}
