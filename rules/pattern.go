package rules

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
	Scheme string `json:"scheme"`
	Host   Host   `json:"host"`
	// Port is 1 to 65535, the scheme's default filled in, or 0 for any.
	Port int `json:"port"`
	// Path is nil for any path. Otherwise it has at least one segment, and "/"
	// alone is one empty segment.
	Path []Segment `json:"path"`
}

// A Host is the labels of a host name, of an IPv4 address, or the one Part
// "[…]" of an IPv6 address in its compressed form.
type Host struct {
	// Sub stands for one or more labels before Labels, never none.
	Sub    bool   `json:"sub"`
	Labels []Part `json:"labels"`
}

// A Part is a label or a segment with at most one star, which stands for any
// run of characters inside it, the empty one too. Without a star all of the text is
// in Prefix. Text is canonical: lower-case and punycode in a host, spelled as
// [CanonicalPath] does in a path.
type Part struct {
	Prefix string `json:"prefix"`
	Star   bool   `json:"star"`
	Suffix string `json:"suffix"`
}

// A Segment is a Part of a path between two slashes, or with Any a "**": one or
// more whole segments, each of which may be empty.
type Segment struct {
	Any bool `json:"any"`
	Part
}

// defaultPort is the port that a URL of the scheme need not name
// (https://url.spec.whatwg.org/#default-port). Its keys are all the schemes.
var defaultPort = map[string]int{"http": 80, "https": 443, "ws": 80, "wss": 443}

// DefaultPort returns the port that a URL of the scheme has when it names none,
// 0 for a scheme that no pattern can have.
func DefaultPort(scheme string) int { return defaultPort[scheme] }

// webSocket reports whether the target can only match WebSocket connections.
func (t *Target) webSocket() bool { return t.Scheme == "ws" || t.Scheme == "wss" }
