package browsermodel

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/bellglass/bellglass/rules"
)

// Directive returns the directive that governs requests of a type in a document
// (CSP Level 3, section 6.8.1).
func Directive(t rules.Type) string { return directiveOf[t] }

var directiveOf = map[rules.Type]string{
	rules.TypeFetch: "connect-src", rules.TypeWebSocket: "connect-src", rules.TypeScript: "script-src", rules.TypeStyle: "style-src",
	rules.TypeImage: "img-src", rules.TypeFont: "font-src", rules.TypeMedia: "media-src", rules.TypeFrame: "frame-src", rules.TypeWorker: "worker-src",
}

// Directives reads the Content-Security-Policy of a header set (section 2.2.1). Parts that the
// specification lets a browser ignore are errors.
func Directives(header http.Header) (map[string][]string, error) {
	value := header.Get("Content-Security-Policy")
	if strings.Contains(value, ",") {
		return nil, fmt.Errorf("more than one policy in %q", value)
	}
	all := map[string][]string{}
	for _, text := range strings.Split(value, ";") {
		words := strings.Fields(text)
		if len(words) == 0 {
			return nil, fmt.Errorf("an empty directive in %q", value)
		}
		if _, twice := all[words[0]]; twice {
			return nil, fmt.Errorf("the directive %s twice in %q", words[0], value)
		}
		all[words[0]] = words[1:]
		if slices.Contains(words, "'none'") && len(words) > 2 {
			return nil, fmt.Errorf("'none' is not alone, so it means nothing: %q", text)
		}
	}
	return all, nil
}

// A Source is a scheme-source, or a host-source with its scheme (section 2.3.1).
type Source struct {
	scheme, host, port, path string
	sub                      bool
}

// ParseSource parses a source by the grammar. A browser drops a source that does not follow
// the grammar, so it allows nothing. ParseSource returns an error for it.
func ParseSource(source string) (s Source, err error) {
	if scheme, ok := strings.CutSuffix(source, ":"); ok && scheme != "" && strings.Trim(scheme, "abcdefghijklmnopqrstuvwxyz") == "" {
		return Source{scheme: scheme}, nil
	}
	rest, ok := "", false
	if s.scheme, rest, ok = strings.Cut(source, "://"); !ok || defaultPorts[s.scheme] == "" {
		return s, fmt.Errorf("the source %q has no scheme", source)
	}
	s.host = rest
	if slash := strings.IndexByte(rest, '/'); slash >= 0 {
		s.host, s.path = rest[:slash], rest[slash:]
	}
	if colon := strings.IndexByte(s.host, ':'); colon >= 0 {
		s.host, s.port = s.host[:colon], s.host[colon+1:]
		if s.port == "" || s.port != "*" && strings.Trim(s.port, "0123456789") != "" {
			return s, fmt.Errorf("the source %q has the port %q", source, s.port)
		}
	}
	if s.host == "*" {
		return s, nil
	}
	s.host, s.sub = strings.CutPrefix(s.host, "*.")
	for _, label := range strings.Split(s.host, ".") {
		if label == "" || strings.Trim(strings.ToLower(label), "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			return s, fmt.Errorf("the source %q has the label %q", source, label)
		}
	}
	// path-part is path-absolute of RFC 3986, which does not begin with two slashes, without
	// ";" and ",".
	if strings.HasPrefix(s.path, "//") {
		return s, fmt.Errorf("the path of the source %q begins with two slashes", source)
	}
	if wrong := strings.Trim(strings.ToLower(s.path), "abcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+=:@/%"); wrong != "" {
		return s, fmt.Errorf("the source %q has %q in its path", source, wrong)
	}
	if _, err := url.PathUnescape(s.path); err != nil {
		return s, fmt.Errorf("the source %q: %w", source, err)
	}
	return s, nil
}

// Match reports whether the source allows the URL (section 6.7.2.8).
func (s Source) Match(u URL) bool {
	return s.matchScheme(u) && (s.host == "" || s.matchHost(u) && s.matchPort(u) && s.matchPath(u))
}

// matchScheme implements section 6.7.2.9.
func (s Source) matchScheme(u URL) bool {
	upgrades := map[string][]string{"http": {"https"}, "ws": {"wss", "http", "https"}, "wss": {"https"}}
	return s.scheme == u.Scheme || slices.Contains(upgrades[s.scheme], u.Scheme)
}

// matchHost implements section 6.7.2.10.
func (s Source) matchHost(u URL) bool {
	switch {
	case s.host == "*":
		return true
	case s.sub:
		return strings.HasSuffix(u.Host, "."+s.host)
	}
	return s.host == u.Host
}

// matchPort implements section 6.7.2.11.
func (s Source) matchPort(u URL) bool {
	switch {
	case s.port == "*":
		return true
	case s.port == "":
		return u.Port == ""
	case u.Port == "":
		// An upgraded scheme changes the default port with it.
		return s.port == defaultPorts[u.Scheme] || s.port == "80" && defaultPorts[u.Scheme] == "443"
	}
	return s.port == u.Port
}

// matchPath implements section 6.7.2.12.
func (s Source) matchPath(u URL) bool {
	if s.path == "" {
		return true
	}
	want, got := strings.Split(s.path, "/"), strings.Split(u.Path, "/")
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

// unescape is the URL Standard's percent-decode: text with an invalid encoding stays
// unchanged.
func unescape(text string) string {
	if decoded, err := url.PathUnescape(text); err == nil {
		return decoded
	}
	return text
}

// Allows reports whether one of a directive's sources matches (section 6.7.2.7). Keywords do
// not count, because they allow at most the document's own origin.
func Allows(sources []string, u URL) (bool, error) {
	allowed := false
	for _, source := range sources {
		if strings.HasPrefix(source, "'") {
			continue
		}
		s, err := ParseSource(source)
		if err != nil {
			return false, fmt.Errorf("the browser drops a source: %w", err)
		}
		allowed = allowed || s.Match(u)
	}
	return allowed, nil
}
