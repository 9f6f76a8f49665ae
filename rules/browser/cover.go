package browser

import (
	"strings"

	"github.com/bellglass/bellglass/rules/rule"
)

// blockedSet contains the origins that block rules cover completely.
type blockedSet map[Shape]bool

func blockedHosts(all []rule.Rule) blockedSet {
	set := blockedSet{}
	for i := range all {
		r := &all[i]
		if r.Action != rule.Block || len(r.Except)+len(r.Methods)+len(r.Types) > 0 {
			continue
		}
		for j := range r.Patterns {
			for k := range r.Patterns[j].Targets {
				if t := &r.Patterns[j].Targets[k]; wholeOrigin(t) {
					set[ShapeOf(t)] = true
				}
			}
		}
	}
	return set
}

// wholeOrigin reports whether the target means the same as its CSP source without a path,
// apart from the scheme.
func wholeOrigin(t *rule.Target) bool {
	for _, label := range t.Host.Labels {
		if label.Star || strings.Contains(label.Prefix, "_") {
			return false
		}
	}
	return t.Path == nil || len(t.Path) == 1 && t.Path[0].Any
}

func (set blockedSet) covers(t *rule.Target) bool {
	if len(set) == 0 {
		return false
	}
	return ShapeOf(t).Origin().WiderThat(func(w Shape) bool { return set[w] })
}

// collect returns each distinct source and pattern once, with all its types. It omits those
// that another one covers.
func collect(uses []use) (sources, patterns *headerList) {
	sources, patterns = &headerList{header: "Content-Security-Policy"}, &headerList{header: "Connection-Allowlist"}
	byShape, whole := map[Shape]uint32{}, map[Shape]uint32{}
	var shapes []Shape
	for _, u := range uses {
		if byShape[u.shape] == 0 {
			shapes = append(shapes, u.shape)
		}
		byShape[u.shape] |= u.types
		// A pattern covers others only if it is as wide as its shape.
		if u.pattern == u.shape.urlPattern() {
			whole[u.shape] |= u.types
		}
	}
	for _, s := range shapes {
		types := byShape[s]
		s.WiderThat(func(w Shape) bool {
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
		if u.shape.WiderThat(func(w Shape) bool {
			return (w != u.shape || !own) && whole[w] != 0 && (u.types&^unseen == 0 || whole[w]&^unseen != 0)
		}) {
			continue
		}
		byPattern[u.pattern] = len(patterns.items)
		patterns.add(u.shape, u.pattern, u.types, 1)
	}
	return sources, patterns
}
