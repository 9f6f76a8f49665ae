package browser

import (
	"strings"

	"github.com/bellglass/bellglass/rules/rule"
)

// CoveringSources returns the CSP sources that allow a request for the URL, in their order and
// never nil. Keywords such as 'self' cover nothing here, because no rule makes one.
//
// Where browsers differ, a source covers what any of them allows. So all browsers block what
// no source covers (CSP Level 3, sections 6.7.2.8 to 6.7.2.12). The URL is parsed as a browser
// parses what a page wrote, not as rules do: its path keeps its percent-encoding. If the URL
// is too long to be judged, only its beginning is used.
func CoveringSources(sources []string, url string) []string {
	return covering(sources, url, (*sending).source)
}

// CoveringPatterns returns the URLPattern strings of a Connection-Allowlist that allow a
// connection to the URL, in their order and never nil. It supports the syntax that [Policies]
// uses: literals, escapes, and asterisks.
func CoveringPatterns(patterns []string, url string) []string {
	return covering(patterns, url, (*sending).pattern)
}

func covering(all []string, url string, covers func(*sending, string) bool) []string {
	some := []string{}
	u, err := rule.ReadURL(url[:min(len(url), rule.MaxURL)])
	if err != nil {
		return some // browsers cannot send it
	}
	s := &sending{strings.TrimSuffix(u.Protocol(), ":"), u.Hostname(), u.Port(), u.Pathname()}
	for _, one := range all {
		if covers(s, one) {
			some = append(some, one)
		}
	}
	return some
}

// A sending is the parts of a URL that the browser's policies use, in the browser's spelling.
// port is "" for the scheme's default.
type sending struct{ scheme, host, port, path string }

func (u *sending) source(source string) bool {
	scheme, rest, hosted := strings.Cut(source, "://")
	if !hosted {
		scheme, rest, hosted = strings.Cut(source, ":")
		return hosted && rest == "" && sourceScheme(scheme, u.scheme)
	}
	authority, path := cutPath(rest)
	host, port, stated := strings.Cut(authority, ":")
	return sourceScheme(scheme, u.scheme) && sourceHost(host, u.host) && u.sourcePort(port, stated) && sourcePath(path, u.path)
}

// cutPath splits before the first slash.
func cutPath(rest string) (authority, path string) {
	if slash := strings.IndexByte(rest, '/'); slash >= 0 {
		return rest[:slash], rest[slash:]
	}
	return rest, ""
}

// sourceScheme reports whether a source's scheme allows a URL's scheme. It also allows the
// secure form. The specification also lets a ws source allow http and https. Chromium and
// Firefox were measured, and neither does.
func sourceScheme(source, scheme string) bool {
	return source == scheme || rule.Secure[source] == scheme
}

func sourceHost(source, host string) bool {
	if name, sub := strings.CutPrefix(source, "*"); sub { // "*.name", or "*" alone
		return strings.HasSuffix(host, name)
	}
	return source == host
}

// sourcePort reports whether a source's port allows the URL's port. Port 80 also allows port
// 443 when the scheme is upgraded to the secure one.
func (u *sending) sourcePort(port string, stated bool) bool {
	switch {
	case port == "*":
		return true
	case !stated:
		return u.port == ""
	case u.port == "":
		return port == "80" || port == "443" && rule.DefaultPort(u.scheme) == 443
	}
	return port == u.port
}

// sourcePath reports whether a source's path allows the URL's path. A path that ends in a
// slash allows everything below it. Both sides are decoded segment by segment.
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
			return deeper && rule.PercentDecode(want) == rule.PercentDecode(got)
		}
		if rule.PercentDecode(want) != rule.PercentDecode(got) || more != deeper {
			return false
		}
		if !more {
			return true
		}
		source, path = source2, path2
	}
}

// pattern compares part by part, because an asterisk in one part of a URLPattern never matches
// across the next part.
func (u *sending) pattern(pattern string) bool {
	scheme, rest, ok := strings.Cut(pattern, "://")
	if !ok || scheme != connectionScheme(u.scheme) {
		return false
	}
	authority, path := cutPath(rest)
	host, port, _ := strings.Cut(authority, ":")
	return coversText(host, u.host) && coversText(port, u.port) && coversText(path, u.path)
}

// coversText matches text with literals, escapes, and asterisks. It takes the first occurrence
// of the text between two asterisks, because that leaves most for the rest. So it never
// backtracks, and the time is linear.
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

// literals splits a pattern at its asterisks and removes the escapes.
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
