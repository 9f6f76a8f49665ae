package browser

import (
	"strings"

	"github.com/bellglass/bellglass/rules/rule"
)

// CoveringSources returns those of the CSP sources that let a request for the
// URL through, in their order and never nil. Keywords such as 'self' cover
// nothing here, because no rule makes one.
//
// Where browsers differ, a source covers what any of them lets through, so that
// what nothing covers is blocked by all (CSP Level 3, sections 6.7.2.8 to
// 6.7.2.12). The URL is read as a browser reads what a page wrote, not as rules
// do: its path keeps its percent-encoding. Of a URL that is too long to be
// judged, only the beginning is looked at.
func CoveringSources(sources []string, url string) []string {
	return covering(sources, url, (*sending).source)
}

// CoveringPatterns returns those of the URLPattern strings of a
// Connection-Allowlist that let a connection to the URL through, in their order
// and never nil. It reads what [Policies] holds: literals, escapes and asterisks.
func CoveringPatterns(patterns []string, url string) []string {
	return covering(patterns, url, (*sending).pattern)
}

func covering(all []string, url string, covers func(*sending, string) bool) []string {
	some := []string{}
	u, err := rule.ReadURL(url[:min(len(url), rule.MaxURL)])
	if err != nil {
		return some // no browser sends it
	}
	s := &sending{strings.TrimSuffix(u.Protocol(), ":"), u.Hostname(), u.Port(), u.Pathname()}
	for _, one := range all {
		if covers(s, one) {
			some = append(some, one)
		}
	}
	return some
}

// A sending is the parts of a URL that the browser's policies look at, as the
// browser spells them. port is "" for the scheme's own.
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

// cutPath cuts before the first slash.
func cutPath(rest string) (authority, path string) {
	if slash := strings.IndexByte(rest, '/'); slash >= 0 {
		return rest[:slash], rest[slash:]
	}
	return rest, ""
}

// sourceScheme: a source lets the secure form of its scheme through. That one for
// WebSockets lets http and https through too, as the specification has it, was
// measured in Chromium and Firefox, and neither does.
func sourceScheme(source, scheme string) bool {
	return source == scheme || rule.Secure[source] == scheme
}

func sourceHost(source, host string) bool {
	if name, sub := strings.CutPrefix(source, "*"); sub { // "*.name", or "*" alone
		return strings.HasSuffix(host, name)
	}
	return source == host
}

// sourcePort: the port 80 goes along when the scheme becomes a secure one.
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

// pattern compares part by part, because an asterisk of one part of a URLPattern
// never reaches into the next.
func (u *sending) pattern(pattern string) bool {
	scheme, rest, ok := strings.Cut(pattern, "://")
	if !ok || scheme != connectionScheme(u.scheme) {
		return false
	}
	authority, path := cutPath(rest)
	host, port, _ := strings.Cut(authority, ":")
	return coversText(host, u.host) && coversText(port, u.port) && coversText(path, u.path)
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
