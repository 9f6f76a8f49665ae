package rule

import (
	"strconv"
	"strings"
)

// A Pattern is one scheme://host[:port][/path] of a rule.
type Pattern struct {
	// Source is the pattern as written in the file, without YAML quoting.
	Source string
	Pos    Pos
	// Targets are the alternatives that the braces make. There is at least one.
	Targets []Target
}

// A Target is a pattern without braces. It matches if all four parts match.
type Target struct {
	// Scheme is http, https, ws or wss.
	Scheme string
	Host   Host
	// Port is 1 to 65535, or 0 for any. A pattern without a port has the scheme's default.
	Port int
	// Path is nil for any path. Otherwise it has at least one segment; the path "/" is one
	// empty segment.
	Path []Segment
}

// A Host is the labels of a host name or of an IPv4 address. An IPv6 address is a single Part:
// "[…]" with the address in compressed form.
type Host struct {
	// Sub stands for one or more labels before Labels.
	Sub    bool
	Labels []Part
}

// A Part is a label or a segment with at most one star. The star stands for any run of
// characters inside the label or segment, even the empty one. Without a star, all text is in
// Prefix. The text is canonical: lower case and Punycode in a host, the spelling of
// [CanonicalPath] in a path.
type Part struct {
	Prefix string
	Star   bool
	Suffix string
}

// A Segment is a Part of a path between two slashes. If Any is set, it is a "**": one or more
// whole segments, each of which may be empty.
type Segment struct {
	Any bool
	Part
}

// Schemes lists all schemes that a pattern can have. A program names them by number.
var Schemes = [...]string{"http", "https", "ws", "wss"}

// FirstSocket is the number of the first WebSocket scheme.
const FirstSocket = 2

// DefaultPort returns the port of a URL with the scheme that names no port
// (https://url.spec.whatwg.org/#default-port). It returns 0 for a scheme that no pattern can
// have.
func DefaultPort(scheme string) int {
	switch scheme {
	case "http", "ws":
		return 80
	case "https", "wss":
		return 443
	}
	return 0
}

// WebSocket reports whether the target can only match WebSocket connections.
func (t *Target) WebSocket() bool { return t.Scheme == "ws" || t.Scheme == "wss" }

// Secure maps each scheme to its secure form, if it has one. A CSP source for a scheme also
// allows the secure form.
var Secure = map[string]string{"http": "https", "ws": "wss"}

// String returns the target as a pattern.
func (t *Target) String() string {
	var b strings.Builder
	t.WriteOrigin(&b, func(b *strings.Builder, p Part) { b.WriteString(p.String()) })
	for _, segment := range t.Path {
		b.WriteByte('/')
		if segment.Any {
			b.WriteString("**")
		} else {
			b.WriteString(segment.Part.String())
		}
	}
	return b.String()
}

// WriteOrigin writes scheme, host, and port. It writes each label with the function.
func (t *Target) WriteOrigin(b *strings.Builder, label func(*strings.Builder, Part)) {
	b.WriteString(t.Scheme + "://")
	if t.Host.Sub {
		b.WriteString("*.")
	}
	for i, part := range t.Host.Labels {
		if i > 0 {
			b.WriteByte('.')
		}
		label(b, part)
	}
	b.WriteString(PortSuffix(t.Scheme, t.Port))
}

// String returns the part as written in a pattern.
func (p Part) String() string {
	if !p.Star {
		return p.Prefix
	}
	return p.Prefix + "*" + p.Suffix
}

// PortSuffix returns the text of a port in an origin with the scheme: ":*" for 0, and "" for
// the default port.
func PortSuffix(scheme string, port int) string {
	switch port {
	case 0:
		return ":*"
	case DefaultPort(scheme):
		return ""
	}
	return ":" + strconv.Itoa(port)
}

// JoinLiteral joins the labels with dots. It returns "" if a label has a star.
func JoinLiteral(labels []Part) string {
	size := len(labels)
	for _, l := range labels {
		if l.Star {
			return ""
		}
		size += len(l.Prefix)
	}
	var b strings.Builder
	b.Grow(size)
	for i, l := range labels {
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(l.Prefix)
	}
	return b.String()
}

// PunycodePrefix is the beginning of each internationalized label.
const PunycodePrefix = "xn--"

// MaxBetween is the largest number of segments between two "**". Matching may look that many
// times at each segment of a request's path.
const MaxBetween = 4
