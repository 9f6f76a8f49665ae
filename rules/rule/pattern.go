package rule

import (
	"strconv"
	"strings"
)

// A Pattern is one scheme://host[:port][/path] of a rule.
type Pattern struct {
	// Source is the pattern as the file has it, YAML quoting removed.
	Source string
	Pos    Pos
	// Targets are the alternatives that braces make, at least one.
	Targets []Target
}

// A Target is a pattern without braces. It matches if all four parts match.
type Target struct {
	// Scheme is http, https, ws or wss.
	Scheme string
	Host   Host
	// Port is 1 to 65535, the scheme's default filled in, or 0 for any.
	Port int
	// Path is nil for any path. Otherwise it has at least one segment, and "/"
	// alone is one empty segment.
	Path []Segment
}

// A Host is the labels of a host name, of an IPv4 address, or the one Part
// "[…]" of an IPv6 address in its compressed form.
type Host struct {
	// Sub stands for one or more labels before Labels, never none.
	Sub    bool
	Labels []Part
}

// A Part is a label or a segment with at most one star, which stands for any
// run of characters inside it, the empty one too. Without a star all of the text is
// in Prefix. Text is canonical: lower-case and punycode in a host, spelled as
// [CanonicalPath] does in a path.
type Part struct {
	Prefix string
	Star   bool
	Suffix string
}

// A Segment is a Part of a path between two slashes, or with Any a "**": one or
// more whole segments, each of which may be empty.
type Segment struct {
	Any bool
	Part
}

// Schemes are all that a pattern can have. A program names them by number.
var Schemes = [...]string{"http", "https", "ws", "wss"}

// FirstSocket is the number of the first scheme of a WebSocket.
const FirstSocket = 2

// DefaultPort returns the port that a URL of the scheme has when it names none
// (https://url.spec.whatwg.org/#default-port), 0 for a scheme that no pattern
// can have.
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

// Secure maps each scheme that has a secure form to it. A CSP source of the one
// lets the other through.
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

// WriteOrigin writes scheme, host and port, each label by a function.
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

// String returns the part as it stands in a pattern.
func (p Part) String() string {
	if !p.Star {
		return p.Prefix
	}
	return p.Prefix + "*" + p.Suffix
}

// PortSuffix returns what of a port stands in an origin of the scheme.
func PortSuffix(scheme string, port int) string {
	switch port {
	case 0:
		return ":*"
	case DefaultPort(scheme):
		return ""
	}
	return ":" + strconv.Itoa(port)
}

// JoinLiteral returns the labels as a name, or "" if one has a star.
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

// PunycodePrefix begins each internationalised label.
const PunycodePrefix = "xn--"

// MaxBetween is how many segments may stand between two "**": so often may each
// segment of a request's path be looked at.
const MaxBetween = 4
