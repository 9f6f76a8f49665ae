package browser

import (
	"strings"

	"github.com/bellglass/bellglass/rules/rule"
)

// A Shape is the part of a target that a CSP source can express.
type Shape struct {
	scheme string
	sub    bool
	host   string // "" for any host, with any port and path
	port   int    // 0 for any
	path   string // "" for any; a final slash means everything below, otherwise exact
}

// ShapeOf returns the shape of a target. A label with a star becomes "*." before the labels
// after it. So does a label with an underscore, because Chromium drops such a source as
// invalid.
//
// The path is exact if the pattern is literal, and otherwise its longest literal directory.
// The path "/" becomes "", because a source with the path "/" matches every path, like one
// without a path. A path that begins with two slashes becomes "", too: it is invalid in CSP's
// grammar, so browsers would drop the source.
func ShapeOf(t *rule.Target) Shape {
	s := Shape{scheme: t.Scheme, sub: t.Host.Sub, port: t.Port}
	from := 0
	for i, label := range t.Host.Labels {
		if label.Star || strings.Contains(label.Prefix, "_") {
			from, s.sub = i+1, true
		}
	}
	s.host = rule.JoinLiteral(t.Host.Labels[from:])
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

// sourceEscaper encodes the two characters that end a source or a directive, so that a pattern
// can never add one.
var sourceEscaper = strings.NewReplacer(";", "%3B", ",", "%2C")

func (s Shape) csp() string {
	if s.host == "" { // any
		return s.scheme + ":"
	}
	return s.origin() + sourceEscaper.Replace(s.path)
}

// Origin returns the shape with any path.
func (s Shape) Origin() Shape {
	s.path = ""
	return s
}

// Below returns the name below which all hosts of the shape are. ok is false if the shape has
// a single host.
func (s Shape) Below() (name string, ok bool) { return s.host, s.sub }

// origin returns the shape without its path.
func (s Shape) origin() string {
	host := s.host
	if s.sub {
		host = "*." + host
	}
	return s.scheme + "://" + host + rule.PortSuffix(s.scheme, s.port)
}

// urlPattern returns the URLPattern string of a shape.
func (s Shape) urlPattern() string {
	s.scheme = connectionScheme(s.scheme)
	var b strings.Builder
	b.WriteString(s.origin())
	segments := strings.Split(s.path, "/")
	for i, segment := range segments[1:] {
		b.WriteByte('/')
		if segment == "" && i == len(segments)-2 || spelledTwice(rule.Part{Prefix: segment}) {
			b.WriteByte('*')
			continue
		}
		escapePattern(&b, segment)
	}
	if s.path == "" {
		b.WriteString("/*")
	}
	return b.String()
}

// WiderThat reports whether is returns true for the shape or for a shape that covers it.
func (s Shape) WiderThat(is func(Shape) bool) bool {
	ports := []int{s.port, 0}
	if s.port == 0 {
		ports = ports[1:]
	}
	for _, port := range ports {
		for w, more := s, true; more; w, more = w.parent() {
			w.port, w.path = port, s.path
			for {
				if is(w) {
					return true
				}
				if w.path == "" {
					break
				}
				w.path = directoryAbove(w.path)
			}
		}
	}
	return false
}

// parent returns the shape of everything below the host's parent.
func (s Shape) parent() (wider Shape, ok bool) {
	_, above, ok := strings.Cut(s.host, ".")
	s.host, s.sub = above, true
	return s, ok
}

// directoryAbove returns the parent directory of a path that is exact or a directory, or ""
// for the top.
func directoryAbove(path string) string {
	path = strings.TrimSuffix(path, "/")
	if path = path[:strings.LastIndexByte(path, '/')+1]; path == "/" {
		return ""
	}
	return path
}

// meet returns the intersection of two shapes. It returns false if there is none.
func (s Shape) meet(o Shape) (Shape, bool) {
	if s.scheme != o.scheme || s.port != o.port && s.port != 0 && o.port != 0 {
		return s, false
	}
	s.port = max(s.port, o.port)
	switch {
	case s.host == o.host && s.sub == o.sub:
	case s.sub && strings.HasSuffix(o.host, "."+s.host):
		s.host, s.sub = o.host, o.sub
	case o.sub && strings.HasSuffix(s.host, "."+o.host):
	default:
		return s, false
	}
	switch {
	case o.path == "" || s.path == o.path || strings.HasSuffix(o.path, "/") && strings.HasPrefix(s.path, o.path):
	case s.path == "" || strings.HasSuffix(s.path, "/") && strings.HasPrefix(o.path, s.path):
		s.path = o.path
	default:
		return s, false
	}
	return s, true
}
