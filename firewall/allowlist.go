package firewall

import (
	"slices"
	"strconv"
	"strings"

	"github.com/bellglass/bellglass/rules"
)

// allowlist renders a Connection-Allowlist: one inner list of URLPattern
// strings (RFC 9651 and https://wicg.github.io/connection-allowlists/). Only the
// first list of a header counts and an invalid one closes everything, so there
// is never more than one, and no parameter: redirects=allow would let a redirect
// lead anywhere, webrtc=allow would let WebRTC out.
func allowlist(self bool, patterns ...string) string {
	items := make([]string, 0, len(patterns)+1)
	if self {
		items = append(items, "response-origin")
	}
	for _, p := range patterns {
		items = append(items, `"`+strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(p)+`"`)
	}
	return "(" + strings.Join(items, " ") + ")"
}

// patterns are the URLPattern strings of everything that the policy allows,
// whatever the request type: the header knows no types. WebSockets are left out
// where the response is the worker's script, which opens none.
func (f *Firewall) patterns(withWebSockets bool) []string {
	var all []string
	for _, rule := range f.allowRules() {
		for _, pattern := range rule.Patterns {
			for _, target := range pattern.Targets {
				if isWebSocket(target) && !withWebSockets {
					continue
				}
				if text := urlPattern(target); !slices.Contains(all, text) {
					all = append(all, text)
				}
			}
		}
	}
	return all
}

// urlPattern is the narrowest URLPattern string that covers the target. Its
// asterisk matches any run of characters, so a star that stays inside a label
// or a segment widens. Regular expression groups would be exact there, but are
// not allowed in this header. URLPattern decodes nothing: a URL that encodes
// what need not be encoded, such as %61, is refused although a rule allows it.
func urlPattern(t rules.Target) string {
	var b strings.Builder
	b.WriteString(t.Scheme + "://")
	if t.Host.Sub {
		b.WriteString("*.")
	}
	for i, label := range t.Host.Labels {
		if i > 0 {
			b.WriteByte('.')
		}
		writePart(&b, label)
	}
	switch {
	case t.Port == 0:
		b.WriteString(":*")
	case t.Port != defaultPort[t.Scheme]:
		b.WriteString(":" + strconv.Itoa(t.Port))
	}
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

// spelledTwice reports whether the part holds a character that rules spell
// encoded and a browser sends as the page wrote it, raw or encoded.
func spelledTwice(p rules.Part) bool {
	for _, encoded := range []string{"%5B", "%5D", "%5E", "%7C"} { // [ ] ^ |
		if strings.Contains(p.Prefix+" "+p.Suffix, encoded) {
			return true
		}
	}
	return false
}

func writePart(b *strings.Builder, p rules.Part) {
	escapePattern(b, p.Prefix)
	if p.Star {
		b.WriteByte('*')
		escapePattern(b, p.Suffix)
	}
}

// escapePattern writes literal text, with a backslash before each character
// that the URLPattern syntax gives a meaning.
func escapePattern(b *strings.Builder, literal string) {
	for _, c := range []byte(literal) {
		if strings.IndexByte(`:+?*(){}\`, c) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
}
