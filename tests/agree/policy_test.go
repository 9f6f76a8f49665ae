package agree

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bellglass/bellglass/rules"
)

// A policy is a drawn policy: its own file and the files that it includes.
type policy struct {
	audit  bool
	layers []layer
}

type layer struct {
	file    string
	ceiling bool
	include []string
	rules   []*rule
}

type rule struct {
	id               string // "" if the file gives none
	block            bool
	patterns, except []pattern
	methods          []string
	types            []rules.Type
	reason           bool

	// Where the written file has the rule: see [policy.files].
	name, file string
	line       int
}

func drawPolicy(d *dice) *policy {
	p := &policy{layers: []layer{{file: "dir/policy.yaml"}}}
	switch d.n(10) {
	case 0:
		p.audit = true
	case 1:
		p.layers[0].include = []string{"base.yaml"}
		p.layers = append(p.layers, layer{file: "dir/base.yaml"})
	case 2, 3:
		p.layers[0].include = []string{"../Bound 1.yaml"}
		p.layers = append(p.layers, layer{file: "Bound 1.yaml", ceiling: true})
	case 4:
		p.layers[0].include = []string{"sub/org.yaml"}
		p.layers = append(p.layers,
			layer{file: "dir/sub/org.yaml", include: []string{"team.x.yaml", "deep.yaml"}, ceiling: d.n(2) == 0},
			layer{file: "dir/sub/team.x.yaml"}, layer{file: "dir/sub/deep.yaml", ceiling: true})
	}
	for i := range p.layers {
		l := &p.layers[i]
		for range 1 + d.n(pick(d, 3, 6, 12, 40)) {
			l.rules = append(l.rules, drawRules(d)...)
		}
		switch {
		case l.ceiling:
			p.widen(d, l)
		case d.seldom(5):
			host, scheme := pick(d, plain("a.b"), plain("*.a.b"), plain("x*.a.b"), plain("b.*.a.b")), pick(d, "https", "http")
			for range pick(d, 20, 40, 100) {
				l.rules = append(l.rules, &rule{block: d.seldom(4), patterns: []pattern{drawCrowded(d, host, scheme)}})
			}
		case d.seldom(6): // more hosts than fit into the headers
			for range 70 {
				l.rules = append(l.rules, &rule{block: d.seldom(8), patterns: []pattern{drawNumbered(d)}})
			}
		}
	}
	n := 0
	for _, l := range p.layers {
		for _, r := range l.rules {
			if n++; d.n(3) > 0 {
				r.id = fmt.Sprintf("r%d", n)
			}
		}
	}
	return p
}

// widen lets a ceiling allow part of what the other files allow. Otherwise nothing would be
// allowed.
func (p *policy) widen(d *dice, ceiling *layer) {
	for _, r := range p.layers[0].rules {
		if r.block || d.seldom(3) {
			continue
		}
		wide := &rule{types: r.types}
		for _, pat := range r.patterns {
			if !slices.Contains(r.types, rules.TypeFrame) && !strings.HasPrefix(pat.scheme, "ws") {
				pat.rebound(d)
			}
			wide.patterns = append(wide.patterns, pat)
		}
		ceiling.rules = append(ceiling.rules, wide)
	}
}

// rebound makes the pattern wider, or its host narrower.
func (p *pattern) rebound(d *dice) {
	if d.n(2) == 0 {
		p.path = pick(d, nil, p.path[:min(2, len(p.path))])
	}
	if base := p.host[len(p.host)-1:]; d.n(3) == 0 && len(p.host) > 2 && strings.Count(base.written(), ".") == 1 {
		p.host = append(plain("*."), base...)
	} else if strings.HasPrefix(p.host.written(), "*") && len(p.host) > 2 && d.n(3) == 0 {
		p.host = slices.Concat(p.host[:2], plain("a."), p.host[2:])
	}
	if d.n(3) == 0 {
		p.port = ":*"
	}
}

var (
	workerTypes = []rules.Type{rules.TypeFetch, rules.TypeScript, rules.TypeStyle, rules.TypeImage, rules.TypeFont, rules.TypeMedia, rules.TypeWorker}
	methodLists = [][]string{{"GET"}, {"GET", "HEAD"}, {"POST"}, {"PUT", "PATCH", "DELETE", "OPTIONS"}, {"GET", "POST"}}
)

// drawRules draws a rule, or two related rules.
func drawRules(d *dice) []*rule {
	switch d.n(10) {
	case 0:
		return []*rule{{types: []rules.Type{rules.TypeFrame}, patterns: pair(drawExact(d, "https", "http"))}}
	case 1:
		r := &rule{patterns: pair(drawExact(d, "wss", "ws"))}
		if d.n(2) == 0 {
			r.types = []rules.Type{rules.TypeWebSocket}
		} else if d.n(2) == 0 {
			r.patterns = append(r.patterns, drawPattern(d, "https"))
		}
		return []*rule{r}
	case 2, 3:
		return drawBlock(d)
	}
	return []*rule{drawAllow(d)}
}

// drawBlock draws a block rule, usually for types other than WebSocket and frame. A block of
// those is rejected if it takes back part of what another rule allows.
func drawBlock(d *dice) []*rule {
	r := &rule{block: true, reason: d.seldom(6), patterns: []pattern{drawPattern(d, "https", "http")}}
	if d.n(3) == 0 { // a whole origin, which the browser's headers then leave out
		r.patterns[0] = drawExact(d, "https", "http")
		r.patterns[0].path = pick(d, nil, plain("/**"))
	}
	switch d.n(6) {
	case 0:
	case 1, 2:
		r.types = []rules.Type{pick(d, workerTypes...)}
	default:
		r.types = workerTypes
	}
	if d.seldom(4) {
		r.methods = pick(d, methodLists...)
	}
	if d.n(2) == 0 {
		r.except = near(d, r.patterns[0])
	}
	all := []*rule{r}
	if len(r.except) > 0 && d.n(2) == 0 {
		all = append(all, &rule{patterns: r.except})
	} else if d.n(3) == 0 {
		all = append(all, &rule{patterns: []pattern{{scheme: r.patterns[0].scheme, host: r.patterns[0].host, port: r.patterns[0].port, path: drawPath(d)}}})
	}
	return all
}

func drawAllow(d *dice) *rule {
	r := &rule{reason: d.seldom(6)}
	for range 1 + d.n(2) {
		r.patterns = append(r.patterns, drawPattern(d, "https", "https", "http"))
	}
	if d.n(4) == 0 {
		r.methods = pick(d, methodLists...)
	}
	if d.n(3) == 0 {
		r.types = []rules.Type{pick(d, workerTypes...)}
		if second := pick(d, workerTypes...); second != r.types[0] && d.n(2) == 0 {
			r.types = append(r.types, second)
		}
	}
	return r
}

// pair adds the secure form to an insecure pattern. Without it, CSP could not express the
// rule.
func pair(p pattern) []pattern {
	twin := p
	if twin.scheme = map[string]string{"http": "https", "ws": "wss"}[p.scheme]; twin.scheme == "" {
		return []pattern{p}
	}
	return []pattern{p, twin}
}

// near draws exceptions that share something with a pattern.
func near(d *dice, p pattern) []pattern {
	other := drawPattern(d, p.scheme)
	switch d.n(5) {
	case 0:
		return []pattern{other}
	case 1:
		p.host = other.host
	case 2:
		p.path = append(slices.Clone(p.path), plain("/", pick(d, "a", "*", "**"))...)
	case 3: // one alternative of each pair of braces
		p.host, p.path = firstOf(p.host), firstOf(p.path)
	default:
		p.path = other.path
	}
	return []pattern{p, other}[:1+d.n(2)]
}

func firstOf(t text) (first text) {
	for _, place := range t {
		first = append(first, place[:1])
	}
	return first
}

// files writes the policy, one rule a line, and records in each rule its name, file, and line.
func (p *policy) files() map[string][]byte {
	all := map[string][]byte{}
	for i, l := range p.layers {
		var b strings.Builder
		line := 1
		put := func(format string, args ...any) {
			fmt.Fprintf(&b, format+"\n", args...)
			line++
		}
		put("version: 1")
		if p.audit && i == 0 {
			put("mode: audit")
		}
		if l.ceiling {
			put("ceiling: true")
		}
		if len(l.include) > 0 {
			put("include: [%s]", quoted(l.include))
		}
		if len(l.rules) > 0 {
			put("rules:")
		}
		for n, r := range l.rules {
			r.name, r.file, r.line = r.id, l.file, line
			if r.name == "" {
				r.name = fmt.Sprintf("%srule-%d", map[string]string{
					"dir/policy.yaml": "", "dir/base.yaml": "base.", "Bound 1.yaml": "bound1.",
					"dir/sub/org.yaml": "org.", "dir/sub/team.x.yaml": "team.", "dir/sub/deep.yaml": "deep.",
				}[l.file], n+1)
			}
			put("  - {%s}", r.written())
		}
		all[l.file] = []byte(b.String())
	}
	return all
}

func (r *rule) written() string {
	var b strings.Builder
	if r.id != "" {
		fmt.Fprintf(&b, "id: %s, ", r.id)
	}
	fmt.Fprintf(&b, "%s: [%s]", map[bool]string{true: "block", false: "allow"}[r.block], writtenPatterns(r.patterns))
	if len(r.except) > 0 {
		fmt.Fprintf(&b, ", except: [%s]", writtenPatterns(r.except))
	}
	if len(r.methods) > 0 {
		fmt.Fprintf(&b, ", methods: [%s]", strings.Join(r.methods, ", "))
	}
	if len(r.types) > 0 {
		var words []string
		for _, t := range r.types {
			words = append(words, string(t))
		}
		fmt.Fprintf(&b, ", types: [%s]", strings.Join(words, ", "))
	}
	if r.reason {
		b.WriteString(", reason: it is so")
	}
	return b.String()
}

func writtenPatterns(all []pattern) string {
	var words []string
	for _, p := range all {
		words = append(words, p.written())
	}
	return quoted(words)
}

func quoted(words []string) string {
	var all []string
	for _, w := range words {
		all = append(all, "'"+strings.ReplaceAll(w, "'", "''")+"'")
	}
	return strings.Join(all, ", ")
}
