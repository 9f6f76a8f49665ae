package rules

import (
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// CoveringSources returns those of the CSP sources that let a request for the
// URL through, in their order and never nil. Keywords such as 'self' cover
// nothing here, because no rule makes one.
//
// Where browsers differ, a source covers what any of them lets through, so that
// what nothing covers is blocked by all (CSP Level 3, sections 6.7.2.8 to
// 6.7.2.12). The URL is read as a browser reads what a page wrote, not as rules
// do: its path keeps its percent-encoding.
func CoveringSources(sources []string, raw string) []string {
	covering := []string{}
	u, err := urlParser.Parse(raw)
	if err != nil {
		return covering // no browser sends it
	}
	for _, source := range sources {
		if coversSource(source, u) {
			covering = append(covering, source)
		}
	}
	return covering
}

// CoveringPatterns returns those of the URLPattern strings of a
// Connection-Allowlist that let a connection to the URL through, in their order
// and never nil. It reads what [Browser] writes: literals, escapes and asterisks.
func CoveringPatterns(patterns []string, raw string) []string {
	covering := []string{}
	u, err := urlParser.Parse(raw)
	if err != nil {
		return covering
	}
	for _, pattern := range patterns {
		if coversPattern(pattern, u) {
			covering = append(covering, pattern)
		}
	}
	return covering
}

// schemeOf is the URL's scheme without the colon.
func schemeOf(u *whatwg.Url) string { return strings.TrimSuffix(u.Protocol(), ":") }

func coversSource(source string, u *whatwg.Url) bool {
	scheme, rest, hosted := strings.Cut(source, "://")
	if !hosted {
		scheme, rest, hosted = strings.Cut(source, ":")
		return hosted && rest == "" && sourceScheme(scheme, schemeOf(u))
	}
	host, path := cutPath(rest)
	host, port, ported := strings.Cut(host, ":")
	return sourceScheme(scheme, schemeOf(u)) && sourceHost(host, u.Hostname()) && sourcePort(port, ported, u) && sourcePath(path, u.Pathname())
}

// cutPath cuts before the first slash.
func cutPath(rest string) (authority, path string) {
	if slash := strings.IndexByte(rest, '/'); slash >= 0 {
		return rest[:slash], rest[slash:]
	}
	return rest, ""
}

// sourceScheme: a source lets the more secure forms of its scheme through. The
// specification has more of these for WebSockets than every browser.
func sourceScheme(source, scheme string) bool {
	switch source {
	case scheme:
		return true
	case "http", "wss":
		return scheme == "https"
	case "ws":
		return scheme == "wss" || scheme == "http" || scheme == "https"
	}
	return false
}

func sourceHost(source, host string) bool {
	if name, sub := strings.CutPrefix(source, "*"); sub { // "*.name", or "*" alone
		return strings.HasSuffix(host, name)
	}
	return source == host
}

// sourcePort: the port 80 goes along when the scheme becomes a secure one.
func sourcePort(source string, stated bool, u *whatwg.Url) bool {
	port := u.Port()
	switch {
	case source == "*":
		return true
	case !stated:
		return port == ""
	case port == "":
		secured := DefaultPort(schemeOf(u)) == 443
		return source == "443" && secured || source == "80"
	}
	return source == port
}

// sourcePath: a path that ends in a slash covers all below it. Both sides are
// decoded, segment by segment.
func sourcePath(source, path string) bool {
	if source == "" {
		return true
	}
	if !strings.HasSuffix(source, "/") && strings.Count(source, "/") != strings.Count(path, "/") {
		return false
	}
	for {
		want, source2, more := strings.Cut(source, "/")
		got, path2, deeper := strings.Cut(path, "/")
		if more && source2 == "" { // the final slash
			return deeper && percentDecode(want) == percentDecode(got)
		}
		if percentDecode(want) != percentDecode(got) || more != deeper {
			return false
		}
		if !more {
			return true
		}
		source, path = source2, path2
	}
}

// percentDecode leaves what is no encoding as it is
// (https://url.spec.whatwg.org/#percent-decode).
func percentDecode(text string) string {
	if !strings.Contains(text, "%") {
		return text
	}
	decoded := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] == '%' && i+2 < len(text) && unhex(text[i+1]) >= 0 && unhex(text[i+2]) >= 0 {
			decoded = append(decoded, byte(unhex(text[i+1])<<4|unhex(text[i+2])))
			i += 2
			continue
		}
		decoded = append(decoded, text[i])
	}
	return string(decoded)
}

// coversPattern compares part by part, because an asterisk of one part of a
// URLPattern never reaches into the next.
func coversPattern(pattern string, u *whatwg.Url) bool {
	scheme, rest, ok := strings.Cut(pattern, "://")
	if !ok || scheme != schemeOf(u) {
		return false
	}
	authority, path := cutPath(rest) // no escape in a host is one of a slash
	host, port, _ := strings.Cut(authority, ":")
	return coversText(host, u.Hostname()) && coversText(port, u.Port()) && coversText(path, u.Pathname())
}

// coversText matches text with literals, escapes and asterisks. What is between
// two asterisks is taken where it comes first, which leaves most for the rest; so
// nothing is tried twice, and the time is linear.
func coversText(pattern, text string) bool {
	pieces := literals(pattern)
	first, last := pieces[0], pieces[len(pieces)-1]
	if len(pieces) == 1 {
		return text == first
	}
	if len(text) < len(first)+len(last) || !strings.HasPrefix(text, first) || !strings.HasSuffix(text, last) {
		return false
	}
	text = text[len(first) : len(text)-len(last)]
	for _, piece := range pieces[1 : len(pieces)-1] {
		_, after, found := strings.Cut(text, piece)
		if !found {
			return false
		}
		text = after
	}
	return true
}

// literals cuts a pattern at its asterisks and takes the escapes out.
func literals(pattern string) []string {
	var pieces []string
	var piece []byte
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '*':
			pieces, piece = append(pieces, string(piece)), nil
		case c == '\\' && i+1 < len(pattern):
			i++
			piece = append(piece, pattern[i])
		default:
			piece = append(piece, c)
		}
	}
	return append(pieces, string(piece))
}
