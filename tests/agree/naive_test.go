package agree

import (
	"net/netip"
	"slices"
	"strings"

	"github.com/gobwas/glob"

	"github.com/bellglass/bellglass/rules"
)

// The first answer. It tries every rule, as the language describes it, on a URL in its
// canonical spelling. Only that spelling comes from package rules. Matching is done by
// gobwas/glob.

// An answer is one decision, in a form that all four can give.
type answer struct {
	Action rules.Action `json:"action"`
	Rule   string       `json:"rule"`
	Code   rules.Code   `json:"code"`
	File   string       `json:"file"`
	Line   int          `json:"line"`
}

// A scan is a policy with its patterns compiled.
type scan struct {
	policy  *policy
	targets map[*pattern][]target
}

// A target is one alternative of a pattern.
type target struct {
	scheme     string
	port       string // "*" for any
	labels     []string
	host, path *glob.Pattern // path is nil for any
}

func newScan(p *policy) *scan {
	s := &scan{p, map[*pattern][]target{}}
	for _, l := range p.layers {
		for _, r := range l.rules {
			for _, list := range [][]pattern{r.patterns, r.except} {
				for i := range list {
					s.targets[&list[i]] = compile(&list[i])
				}
			}
		}
	}
	return s
}

func compile(p *pattern) (all []target) {
	var paths []*glob.Pattern
	for _, text := range p.path.globs() {
		if p.path == nil {
			paths = append(paths, nil)
		} else {
			paths = append(paths, glob.MustCompile(text, '/'))
		}
	}
	port := strings.TrimPrefix(p.port, ":")
	if port == "" {
		port = defaultPorts[p.scheme]
	}
	for _, text := range p.host.globs() {
		t := target{scheme: p.scheme, port: port, labels: strings.Split(text, ".")}
		if len(t.labels) > 1 && (t.labels[0] == "*" || t.labels[0] == "**") {
			t.labels[0] = "**" // "*." is one label or more, and glob's "*" stays inside one label
		}
		t.host = glob.MustCompile(strings.Join(t.labels, "."), '.')
		for _, t.path = range paths {
			all = append(all, t)
		}
	}
	return all
}

var defaultPorts = map[string]string{"http": "80", "https": "443", "ws": "80", "wss": "443"}

// A location is the parts of a URL.
type location struct{ scheme, host, port, path string }

// locate splits a URL in its canonical spelling.
func locate(canonical string) location {
	var u location
	u.scheme, u.host, _ = strings.Cut(canonical, "://")
	u.host, _, _ = strings.Cut(u.host, "?")
	slash := strings.IndexByte(u.host, '/')
	u.host, u.path = u.host[:slash], u.host[slash:]
	if colon := strings.LastIndexByte(u.host, ':'); colon > strings.LastIndexByte(u.host, ']') {
		u.host, u.port = u.host[:colon], u.host[colon+1:]
	}
	if u.port == "" {
		u.port = defaultPorts[u.scheme]
	}
	return u
}

// match reports whether all parts match. named is true for patterns that let a request out.
// Their stars match no internationalized label.
func (t *target) match(u location, named bool) bool {
	return t.scheme == u.scheme && (t.port == "*" || t.port == u.port) && t.host.Match(u.host) && !(named && t.starOnPunycode(u.host)) &&
		(t.path == nil || t.path.Match(u.path))
}

// starOnPunycode reports whether a star of the pattern matches part of an internationalized
// label of a host that matches.
func (t *target) starOnPunycode(host string) bool {
	all := strings.Split(host, ".")
	more := len(all) - len(t.labels) // the labels that "**." matches beside its first one
	for i, label := range all {
		if strings.HasPrefix(label, "xn--") && strings.Contains(t.labels[max(i-more, 0)], "*") {
			return true
		}
	}
	return false
}

func (s *scan) any(list []pattern, u location, named bool) *pattern {
	for i := range list {
		for _, t := range s.targets[&list[i]] {
			if t.match(u, named) {
				return &list[i]
			}
		}
	}
	return nil
}

// A finding is the scan's answer to a request, with its reasons.
type finding struct {
	answer
	matches []rules.Match
	rule    *rule    // the rule that decided
	by      *pattern // the rule's pattern that matched
	spared  bool     // an exception of a block rule matched
}

// decide answers a request. canonical is its URL in the canonical spelling.
func (s *scan) decide(r rules.Request, canonical string) finding {
	f := finding{answer: answer{Code: rules.CodeDefault, File: s.policy.layers[0].file}}
	u := locate(canonical)
	if socket := u.scheme == "ws" || u.scheme == "wss"; !slices.Contains(rules.Types, r.Type) || socket != (r.Type == rules.TypeWebSocket) {
		f.Code = rules.CodeUnsupportedType
		return f
	}
	var block, allow *rule
	var blockBy, allowBy *pattern
	bounded := true // true if every ceiling allows the request
	for _, l := range s.policy.layers {
		allows := false
		for _, rule := range l.rules {
			by, spared := s.matches(rule, r, u)
			f.spared = f.spared || spared
			switch {
			case by == nil:
				continue
			case rule.block && block == nil:
				block, blockBy = rule, by
			case !rule.block && allow == nil && !l.ceiling:
				allow, allowBy = rule, by
			}
			allows = allows || !rule.block
			f.matches = append(f.matches, rules.Match{Action: action(!rule.block), Rule: rule.name, File: rule.file, Line: rule.line})
		}
		bounded = bounded && (allows || !l.ceiling)
	}
	switch {
	case block != nil:
		f.ruled(block, blockBy, rules.CodeRule)
	case allow != nil && !bounded:
		f.ruled(allow, allowBy, rules.CodeCeiling)
	case allow != nil:
		f.ruled(allow, allowBy, rules.CodeRule)
		f.Action = rules.Allow
	case privateAddress(u.host):
		f.Code = rules.CodePrivateAddress
	case s.policy.audit && r.Type != rules.TypeFrame && r.Type != rules.TypeWebSocket:
		f.Action, f.Code = rules.Allow, rules.CodeAudit
	}
	return f
}

func (f *finding) ruled(r *rule, by *pattern, code rules.Code) {
	f.rule, f.by = r, by
	f.answer = answer{Rule: r.name, Code: code, File: r.file, Line: r.line}
}

func action(allow bool) rules.Action {
	if allow {
		return rules.Allow
	}
	return rules.Block
}

// matches returns the pattern by which a rule applies to a request.
func (s *scan) matches(rule *rule, r rules.Request, u location) (by *pattern, spared bool) {
	if len(rule.methods) > 0 && !slices.Contains(rule.methods, r.Method) {
		return nil, false
	}
	covered := slices.Contains(rule.types, r.Type)
	if len(rule.types) == 0 {
		covered = rule.block || r.Type != rules.TypeFrame
	}
	if by = s.any(rule.patterns, u, !rule.block); !covered || by == nil {
		return nil, false
	}
	if s.any(rule.except, u, true) != nil {
		return nil, true
	}
	return by, false
}

// privateAddress reports whether host is a private address: RFC 1122 (0/8, 127/8), 1918, 3927,
// 6598, 4193, and IPv6's loopback, unspecified, and link-local addresses.
func privateAddress(host string) bool {
	addr, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && slices.ContainsFunc(private, func(p netip.Prefix) bool { return p.Contains(addr) })
}

var private = func() (all []netip.Prefix) {
	for _, text := range []string{"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16", "::/127", "fc00::/7", "fe80::/10"} {
		all = append(all, netip.MustParsePrefix(text))
	}
	return all
}()

// longest is the maximum length in bytes of a URL that is judged.
const longest = 8 << 10

// refusal returns the code for a URL without a canonical spelling. Only a URL parser can tell
// which of three codes applies, except for a URL that is too long.
func refusal(raw string, code rules.Code) rules.Code {
	switch {
	case len(raw) > longest:
		return rules.CodeTooLong
	case slices.Contains([]rules.Code{rules.CodeNoncanonical, rules.CodeTooLong, rules.CodeUnsupportedScheme}, code):
		return code
	}
	return rules.CodeNoncanonical
}
