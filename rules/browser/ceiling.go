package browser

import (
	"strings"

	"github.com/bellglass/bellglass/rules/rule"
)

// bound narrows the uses of a policy to what each of its ceilings allows too.
func bound(p *rule.Policy, uses []use) []use {
	for number, layer := range p.Layers {
		if !layer.Ceiling {
			continue
		}
		bounds := map[string][]use{}
		for i := range p.Rules {
			r := &p.Rules[i]
			if r.Layer != number || r.Action != rule.Allow {
				continue
			}
			_, types := r.Masks()
			for j := range r.Patterns {
				for k := range r.Patterns[j].Targets {
					t := &r.Patterns[j].Targets[k]
					s := ShapeOf(t)
					bounds[owner(s.host)] = append(bounds[owner(s.host)], use{shape: s, types: t.TypesOf(types)})
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

// owner returns the last two labels of a host, or all of a shorter one. Every pattern names
// these labels, so only hosts with equal ones can overlap.
func owner(host string) string {
	labels := strings.Split(host, ".")
	return strings.Join(labels[max(0, len(labels)-2):], ".")
}
