package rules

import "strings"

// blockedSet are the origins of which a block rule leaves nothing.
type blockedSet map[shape]bool

func blockedHosts(all []Rule) blockedSet {
	set := blockedSet{}
	for i := range all {
		r := &all[i]
		if r.Action != Block || len(r.Except)+len(r.Methods)+len(r.Types) > 0 {
			continue
		}
		for j := range r.Patterns {
			for k := range r.Patterns[j].Targets {
				if t := &r.Patterns[j].Targets[k]; t.wholeOrigin() {
					set[shapeOf(t)] = true
				}
			}
		}
	}
	return set
}

// wholeOrigin reports whether the target is just what its CSP source without a
// path is, but for the scheme.
func (t *Target) wholeOrigin() bool {
	for _, label := range t.Host.Labels {
		if label.Star || strings.Contains(label.Prefix, "_") {
			return false
		}
	}
	return t.Path == nil || len(t.Path) == 1 && t.Path[0].Any
}

func (set blockedSet) covers(t *Target) bool {
	if len(set) == 0 {
		return false
	}
	s := shapeOf(t)
	s.path = ""
	return s.widerThat(func(w shape) bool { return set[w] })
}

// widerThat reports whether is holds for the shape or one that covers it.
func (s shape) widerThat(is func(shape) bool) bool {
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
func (s shape) parent() (wider shape, ok bool) {
	_, above, ok := strings.Cut(s.host, ".")
	s.host, s.sub = above, true
	return s, ok
}

// directoryAbove returns the next directory above a path that is exact or a
// directory, "" for the top.
func directoryAbove(path string) string {
	path = strings.TrimSuffix(path, "/")
	if path = path[:strings.LastIndexByte(path, '/')+1]; path == "/" {
		return ""
	}
	return path
}

// meet returns what two shapes have in common.
func (s shape) meet(o shape) (shape, bool) {
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

// bound narrows the uses to what each ceiling allows too.
func (p *Policy) bound(uses []use) []use {
	for number, layer := range p.Layers {
		if !layer.Ceiling {
			continue
		}
		bounds := map[string][]use{}
		for i := range p.Rules {
			r := &p.Rules[i]
			if r.Layer != number || r.Action != Allow {
				continue
			}
			_, types := ruleMasks(r)
			for j := range r.Patterns {
				for k := range r.Patterns[j].Targets {
					t := &r.Patterns[j].Targets[k]
					s := shapeOf(t)
					bounds[owner(s.host)] = append(bounds[owner(s.host)], use{shape: s, types: typesOf(t, types)})
				}
			}
		}
		var bounded []use
		for _, u := range uses {
			for _, c := range bounds[owner(u.shape.host)] {
				if both, ok := u.shape.meet(c.shape); ok && u.types&c.types != 0 {
					bounded = append(bounded, use{both, both.urlPattern(), u.types & c.types})
				}
			}
		}
		uses = bounded
	}
	return uses
}

// owner is the last two labels of a host, or all of a shorter one. Every pattern
// names these, so only hosts that share them can have something in common.
func owner(host string) string {
	labels := strings.Split(host, ".")
	return strings.Join(labels[max(0, len(labels)-2):], ".")
}

// urlPattern is the URLPattern string of a shape.
func (s shape) urlPattern() string {
	var b strings.Builder
	b.WriteString(s.origin())
	segments := strings.Split(s.path, "/")
	for i, segment := range segments[1:] {
		b.WriteByte('/')
		if segment == "" && i == len(segments)-2 || spelledTwice(Part{Prefix: segment}) {
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

// collect gives each distinct source and pattern its types, and leaves out those
// that another covers.
func collect(uses []use) (sources, patterns *headerList) {
	sources, patterns = &headerList{header: "Content-Security-Policy"}, &headerList{header: "Connection-Allowlist"}
	byShape, whole := map[shape]uint32{}, map[shape]uint32{}
	var shapes []shape
	for _, u := range uses {
		if byShape[u.shape] == 0 {
			shapes = append(shapes, u.shape)
		}
		byShape[u.shape] |= u.types
		// A pattern covers another only if it is as wide as its shape.
		if u.pattern == u.shape.urlPattern() {
			whole[u.shape] |= u.types
		}
	}
	for _, s := range shapes {
		types := byShape[s]
		s.widerThat(func(w shape) bool {
			if w != s {
				types &^= byShape[w]
			}
			return types == 0
		})
		if types != 0 {
			sources.add(s, s.csp(), types, types)
		}
	}
	byPattern := map[string]int{}
	for _, u := range uses {
		if i, ok := byPattern[u.pattern]; ok {
			patterns.items[i].types |= u.types
			continue
		}
		own := whole[u.shape] != 0 && u.pattern == u.shape.urlPattern()
		if u.shape.widerThat(func(w shape) bool {
			return (w != u.shape || !own) && whole[w] != 0 && (u.types&^unseen == 0 || whole[w]&^unseen != 0)
		}) {
			continue
		}
		byPattern[u.pattern] = len(patterns.items)
		patterns.add(u.shape, u.pattern, u.types, 1)
	}
	return sources, patterns
}

// hosts is a set of hosts, to ask what a host has in common with it.
type hosts struct{ exact, below, above map[string]bool }

func (h *hosts) add(t *Target) {
	if h.exact == nil {
		h.exact, h.below, h.above = map[string]bool{}, map[string]bool{}, map[string]bool{}
	}
	s := shapeOf(t)
	if s.sub {
		h.below[s.host] = true
	} else {
		h.exact[s.host] = true
	}
	for w, more := s.parent(); more; w, more = w.parent() {
		h.above[w.host] = true
	}
}

// meets reports whether a host of the target may be in the set. It rather says
// yes.
func (h *hosts) meets(t *Target) bool {
	s := shapeOf(t)
	if !s.sub && h.exact[s.host] || s.sub && (h.below[s.host] || h.above[s.host]) {
		return true
	}
	for w, more := s.parent(); more; w, more = w.parent() {
		if h.below[w.host] {
			return true
		}
	}
	return false
}
