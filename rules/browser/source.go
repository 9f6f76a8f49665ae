package browser

import (
	"slices"
	"strings"

	"github.com/bellglass/bellglass/rules/rule"
)

// A Source is what the browser's own policies can express of a target.
type Source struct {
	// CSP is the narrowest CSP source that covers the target (CSP Level 3,
	// section 2.3.1).
	CSP string `json:"csp"`
	// Wider says why CSP covers more than the target. It is empty if the source is exact.
	Wider []string `json:"wider"`
	// Pattern is the narrowest URLPattern string, for Connection-Allowlist.
	Pattern string `json:"pattern"`
	// PatternWider says why Pattern covers more than the target.
	PatternWider []string `json:"patternWider"`
}

// SourceOf returns what the browser's policies can express of the target. CSP cannot name an
// IPv6 address. Such a target allows nothing, so callers never pass one.
func SourceOf(t *rule.Target) Source {
	shape := ShapeOf(t)
	s := Source{CSP: shape.csp(), Pattern: urlPattern(t)}
	for _, w := range widenings(t) {
		s.Wider = append(s.Wider, w.Why)
	}
	if t.WebSocket() {
		s.PatternWider = append(s.PatternWider, "a WebSocket is known there as the request that opens it")
	}
	for _, label := range t.Host.Labels {
		if label.Star {
			s.PatternWider = append(s.PatternWider, "a star in a label also matches dots")
			break
		}
	}
	for _, segment := range t.Path {
		if segment.Star || !segment.Any && spelledTwice(segment.Part) {
			s.PatternWider = append(s.PatternWider, "a star in a segment also matches slashes")
			break
		}
	}
	return s
}

// urlPattern returns the narrowest URLPattern string that covers the target. Its asterisk
// matches any run of characters, so a star that stays inside a label or a segment becomes
// wider. Regular expression groups would be exact, but are not allowed in this header.
//
// URLPattern decodes nothing. So it rejects a URL with an unnecessary encoding, such as %61,
// although a rule allows it.
func urlPattern(t *rule.Target) string {
	var b strings.Builder
	connection := *t
	connection.Scheme = connectionScheme(t.Scheme)
	connection.WriteOrigin(&b, writePart)
	if t.Path == nil {
		b.WriteString("/*")
	}
	for _, segment := range t.Path {
		b.WriteByte('/')
		if segment.Any || spelledTwice(segment.Part) {
			b.WriteByte('*')
			continue
		}
		writePart(&b, segment.Part)
	}
	return b.String()
}

// spelledTwice reports whether the part contains a character that rules encode, and that a
// browser sends as the page wrote it, raw or encoded.
func spelledTwice(p rule.Part) bool {
	return slices.ContainsFunc([]string{"%5B", "%5D", "%5E", "%7C"}, func(encoded string) bool { // [ ] ^ |
		return strings.Contains(p.Prefix+" "+p.Suffix, encoded)
	})
}

func writePart(b *strings.Builder, p rule.Part) {
	escapePattern(b, p.Prefix)
	if p.Star {
		b.WriteByte('*')
		escapePattern(b, p.Suffix)
	}
}

// escapePattern writes literal text, with a backslash before each character with a meaning in
// URLPattern syntax.
func escapePattern(b *strings.Builder, literal string) {
	for _, c := range []byte(literal) {
		if strings.IndexByte(`:+?*(){}\`, c) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
}

// connectionScheme returns the scheme under which a Connection-Allowlist checks a request. A
// WebSocket begins as an http or https request, and the browser checks that request.
func connectionScheme(scheme string) string {
	switch scheme {
	case "ws":
		return "http"
	case "wss":
		return "https"
	}
	return scheme
}
