package rules

import (
	"slices"
	"strconv"
	"strings"
)

// A Source is what the browser's own policies can say of a target.
type Source struct {
	// CSP is the narrowest CSP source that covers the target (CSP Level 3,
	// section 2.3.1).
	CSP string `json:"csp"`
	// Wider says why it covers more than the target, or is empty if it is exact.
	Wider []string `json:"wider"`
	// Pattern is the narrowest URLPattern string, for Connection-Allowlist.
	Pattern string `json:"pattern"`
	// PatternWider says why that one covers more.
	PatternWider []string `json:"patternWider"`
}

// Source returns what the browser's policies can say of the target. No target
// with an IPv6 address allows anything, so none comes here: CSP cannot name one.
func (t *Target) Source() Source {
	shape := shapeOf(t)
	s := Source{CSP: shape.csp(), Pattern: t.urlPattern()}
	for _, w := range t.widenings() {
		s.Wider = append(s.Wider, w.why)
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

// A widening is something that a CSP source cannot say.
type widening struct{ why, hint string }

// widenings lists what of the target a CSP source cannot say.
func (t *Target) widenings() []widening {
	var all []widening
	add := func(why, hint string) { all = append(all, widening{why, hint}) }
	if s := secure[t.Scheme]; s != "" {
		add("a source for "+t.Scheme+" also lets "+s+" through", "")
	}
	for i, label := range t.Host.Labels {
		switch {
		case label.Star:
			add("a star inside a host", "only *. at the beginning is possible")
		case strings.Contains(label.Prefix, "_"):
			add("the underscore in label "+strconv.Itoa(i+1)+" of the host", "use another host name")
		default:
			continue
		}
		break
	}
	if what, hint := inexactPath(t.Path); what != "" {
		add(what, hint)
	}
	return all
}

func inexactPath(path []Segment) (what, hint string) {
	const possible = "the path can be left out, literal, or /dir/**"
	for i, segment := range path {
		last := i == len(path)-1
		switch {
		case i == 0 && !last && !segment.Any && !segment.Star && segment.Prefix == "":
			return "a path that begins with two slashes", possible
		case segment.Any && !last:
			return "a ** that is not at the end of the path", possible
		case segment.Star:
			return "a * in a path", possible
		case last && !segment.Any && segment.Prefix == "":
			return "a path that ends in a slash and nothing below it", "write ** after the slash for all below, or leave the path out"
		}
	}
	return "", ""
}

// A shape is a target as a CSP source can say it.
type shape struct {
	scheme string
	sub    bool
	host   string // "" for any, with any port and path
	port   int    // 0 for any
	path   string // "" for any, else exact or, with a final slash, all below
}

// shapeOf widens a label with a star, and one with an underscore (which
// Chromium takes for an invalid source and drops), to "*." before what follows.
// The path is exact where the pattern is literal, and else its longest literal
// directory. The path "/" alone would match every path, as none does, and one that
// begins with two slashes is none in CSP's grammar, so that browsers would drop
// the source.
func shapeOf(t *Target) shape {
	s := shape{scheme: t.Scheme, sub: t.Host.Sub, port: t.Port}
	from := 0
	for i, label := range t.Host.Labels {
		if label.Star || strings.Contains(label.Prefix, "_") {
			from, s.sub = i+1, true
		}
	}
	s.host = joinLiteral(t.Host.Labels[from:])
	literal := make([]string, 0, len(t.Path))
	for _, segment := range t.Path {
		if segment.Any || segment.Star {
			literal = append(literal, "")
			break
		}
		literal = append(literal, segment.Prefix)
	}
	if s.path = "/" + strings.Join(literal, "/"); s.path == "/" || strings.HasPrefix(s.path, "//") {
		s.path = ""
	}
	return s
}

// sourceEscaper encodes the two characters that would end a source or a
// directive, so that a pattern can never add one.
var sourceEscaper = strings.NewReplacer(";", "%3B", ",", "%2C")

func (s shape) csp() string {
	if s.host == "" { // any
		return s.scheme + ":"
	}
	return s.origin() + sourceEscaper.Replace(s.path)
}

// origin is the shape without its path.
func (s shape) origin() string {
	host := s.host
	if s.sub {
		host = "*." + host
	}
	return s.scheme + "://" + host + portSuffix(s.scheme, s.port)
}

func portSuffix(scheme string, port int) string {
	switch port {
	case 0:
		return ":*"
	case DefaultPort(scheme):
		return ""
	}
	return ":" + strconv.Itoa(port)
}

// urlPattern is the narrowest URLPattern string that covers the target. Its
// asterisk matches any run of characters, so a star that stays inside a label
// or a segment widens. Regular expression groups would be exact there, but are
// not allowed in this header. URLPattern decodes nothing: a URL that encodes
// what need not be encoded, such as %61, is refused although a rule allows it.
func (t *Target) urlPattern() string {
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
	b.WriteString(portSuffix(t.Scheme, t.Port))
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
func spelledTwice(p Part) bool {
	return slices.ContainsFunc([]string{"%5B", "%5D", "%5E", "%7C"}, func(encoded string) bool { // [ ] ^ |
		return strings.Contains(p.Prefix+" "+p.Suffix, encoded)
	})
}

func writePart(b *strings.Builder, p Part) {
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
