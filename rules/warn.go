package rules

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bellglass/bellglass/rules/browser"
	"github.com/bellglass/bellglass/rules/rule"
)

// Warnings reports the rules that can never decide anything. These are allow rules that block
// rules cover completely, and rules whose patterns are all covered by earlier rules of the
// same kind. Each warning has the rule's position, and no source line (see [Error.Quote]).
// Warnings come in the order of the policy.
//
// Uncertain cases get no warning. An included file cannot know the rules of other files, so
// its rules are compared only with each other.
func (p *Policy) Warnings() []*Error {
	if p == nil {
		return nil
	}
	blocks := newCoverage()
	for i := range p.Rules {
		if r := &p.Rules[i]; r.Action == Block {
			blocks.add(i, r)
		}
	}
	var all []*Error
	earlier := map[Action]*coverage{Allow: newCoverage(), Block: newCoverage()}
	for i := range p.Rules {
		r := &p.Rules[i]
		if r.Action == Allow && p.Layers[r.Layer].Ceiling {
			continue // it bounds the rules of other layers
		}
		if r.Action == Allow {
			if by := blocks.coverAll(i, r, func(layer int) bool { return r.Layer == 0 || layer == r.Layer }); by != nil {
				all = append(all, p.warning(r, "delete one of the two, or write what shall stay allowed into the except of the block rule",
					"the rule %s can never allow anything: %s all of it", r.ID, p.named(by, "blocks", "block")))
				continue
			}
		}
		if by := earlier[r.Action].coverAll(i, r, func(layer int) bool { return layer == r.Layer }); by != nil {
			all = append(all, p.warning(r, "delete it, or make the earlier one narrower",
				"the rule %s can never decide: before it, %s all of it", r.ID, p.named(by, "covers", "cover")))
			continue // whatever this rule covers, the earlier ones cover
		}
		earlier[r.Action].add(i, r)
	}
	return all
}

// Quote sets the source line from the text of the file.
func (e *Error) Quote(src []byte) {
	lines := splitLines(strings.ToValidUTF8(strings.TrimPrefix(string(src), "\ufeff"), string(utf8.RuneError)))
	if e.Line >= 1 && e.Line <= len(lines) {
		e.Source = lines[e.Line-1]
	}
}

func (p *Policy) warning(r *Rule, hint, format string, args ...any) *Error {
	return &Error{File: p.Layers[r.Layer].File, Line: r.Pos.Line, Col: r.Pos.Col, Msg: fmt.Sprintf(format, args...), Hint: hint}
}

// named returns a phrase with rules, their positions, and the verb.
func (p *Policy) named(rules []int, one, many string) string {
	texts := make([]string, len(rules))
	for i, number := range rules {
		r := &p.Rules[number]
		texts[i] = fmt.Sprintf("%s (%s:%d)", r.ID, p.Layers[r.Layer].File, r.Pos.Line)
	}
	switch len(texts) {
	case 1:
		return "the rule " + texts[0] + " " + one
	case 2, 3:
		return "the rules " + strings.Join(texts, ", ") + " " + many
	}
	return fmt.Sprintf("the rules %s and %d others %s", strings.Join(texts[:2], ", "), len(texts)-2, many)
}

// A coverage finds the rules that cover a target. It looks by shape if the shape says
// everything about a pattern, and by the identical pattern otherwise. A lookup tries the ends
// of the host and the directories of the path, so its time does not grow with the number of
// rules.
type coverage struct {
	shapes map[browser.Shape][]extent
	texts  map[string][]extent
}

// An extent is the rule, its layer, and the methods and types that it covers for one pattern.
type extent struct {
	rule, layer    int
	methods, types uint32
}

func extentOf(number int, r *Rule, t *Target) extent {
	methods, types := r.Masks()
	return extent{number, r.Layer, methods, t.TypesOf(types)}
}

func (e extent) holds(o extent) bool {
	return o.methods&^e.methods == 0 && o.types&^e.types == 0
}

func newCoverage() *coverage {
	return &coverage{map[browser.Shape][]extent{}, map[string][]extent{}}
}

// add adds a rule. A rule with exceptions covers nothing for certain, so add skips it.
func (c *coverage) add(number int, r *Rule) {
	if len(r.Except) > 0 {
		return
	}
	for i := range r.Patterns {
		for j := range r.Patterns[i].Targets {
			t := &r.Patterns[i].Targets[j]
			e := extentOf(number, r, t)
			if s := browser.ShapeOf(t); browser.Exact(t) {
				c.shapes[s] = include(c.shapes[s], e)
			} else {
				text := t.String()
				c.texts[text] = include(c.texts[text], e)
			}
		}
	}
}

// include appends an extent unless the list already covers it, so that lists stay short.
func include(list []extent, e extent) []extent {
	if slices.ContainsFunc(list, func(o extent) bool { return o.layer == e.layer && o.holds(e) }) {
		return list
	}
	return append(list, e)
}

// coverAll returns the rules, from layers that the function accepts, that together cover each
// pattern of a rule. It returns nil if they leave a pattern uncovered.
func (c *coverage) coverAll(number int, r *Rule, layers func(layer int) bool) []int {
	var by []int
	for i := range r.Patterns {
		for j := range r.Patterns[i].Targets {
			t := &r.Patterns[i].Targets[j]
			found := c.cover(t, extentOf(number, r, t), layers)
			if found == none {
				return nil
			}
			if !slices.Contains(by, found) {
				by = append(by, found)
			}
		}
	}
	slices.Sort(by)
	return by
}

// none is a number that no rule has.
const none = -1

// cover returns a rule that covers a target, or [none].
func (c *coverage) cover(t *Target, e extent, layers func(layer int) bool) int {
	among := func(list []extent) int {
		for _, o := range list {
			if layers(o.layer) && o.holds(e) {
				return o.rule
			}
		}
		return none
	}
	found := none
	browser.ShapeOf(t).WiderThat(func(w browser.Shape) bool {
		// A star in an allow rule does not stand for an internationalized label.
		name, below := w.Below()
		if list := c.shapes[w]; len(list) > 0 && !(below && internationalized(t, name)) {
			found = among(list)
		}
		return found != none
	})
	if found == none && !browser.Exact(t) {
		found = among(c.texts[t.String()])
	}
	return found
}

// internationalized reports whether the target's host has an internationalized label before
// its end.
func internationalized(t *Target, end string) bool {
	above := t.Host.Labels[:max(0, len(t.Host.Labels)-strings.Count(end, ".")-1)]
	return slices.ContainsFunc(above, func(p Part) bool { return strings.HasPrefix(p.Prefix, rule.PunycodePrefix) })
}
