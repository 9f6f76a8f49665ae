package browser

import "github.com/bellglass/bellglass/rules/rule"

// hosts is a set of hosts that can tell whether another host overlaps it.
type hosts struct{ exact, below, above map[string]bool }

func (h *hosts) add(t *rule.Target) {
	if h.exact == nil {
		h.exact, h.below, h.above = map[string]bool{}, map[string]bool{}, map[string]bool{}
	}
	s := ShapeOf(t)
	if s.sub {
		h.below[s.host] = true
	} else {
		h.exact[s.host] = true
	}
	for w, more := s.parent(); more; w, more = w.parent() {
		h.above[w.host] = true
	}
}

// meets reports whether the set may contain a host of the target. When unsure, it returns
// true.
func (h *hosts) meets(t *rule.Target) bool {
	s := ShapeOf(t)
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
