package agree

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bellglass/bellglass/rules"
)

// report shows one of the differences, with the smallest policy that shows it.
func report(t *testing.T, drawn *policy, all []difference) {
	t.Helper()
	first := all[0]
	small, text := shrink(drawn, first.request, first.text)
	var files strings.Builder
	written := small.files()
	for _, l := range small.layers {
		fmt.Fprintf(&files, "--- %s\n%s", l.file, written[l.file])
	}
	t.Errorf("%d requests are answered differently. One of them, with what of the policy it takes:\n%s--- %s %q %.600q\n%s",
		len(all), files.String(), first.request.Method, first.request.Type, first.request.URL, text)
}

// shrink removes rules and patterns from a policy as long as the answers to the request still
// differ. The fuzzer treats ten seconds without progress as a hang, so the number of attempts
// is limited.
func shrink(drawn *policy, r rules.Request, text string) (*policy, string) {
	differs := func(p *policy) (string, bool) {
		loaded, err := p.load()
		if err != nil {
			return "", false
		}
		all, err := compare(p, loaded, []rules.Request{r}, func(string) {})
		if err != nil || len(all) == 0 {
			return "", false
		}
		return all[0].text, true
	}
	left := 200
	for again := true; again; {
		again = false
		for _, smaller := range drawn.smaller() {
			if left--; left < 0 {
				break
			}
			if what, ok := differs(smaller); ok {
				drawn, text, again = smaller, what, true
				break
			}
		}
	}
	drawn.files()
	return drawn, text
}

// smaller returns policies that lack half of a file's rules, one rule, or one pattern.
func (p *policy) smaller() (all []*policy) {
	for i := range p.layers {
		without := func(change func(rules []*rule) []*rule) {
			c := *p
			c.layers = slices.Clone(p.layers)
			c.layers[i].rules = nil
			for _, r := range p.layers[i].rules {
				copied := *r
				copied.patterns, copied.except = slices.Clone(r.patterns), slices.Clone(r.except)
				c.layers[i].rules = append(c.layers[i].rules, &copied)
			}
			c.layers[i].rules = change(c.layers[i].rules)
			all = append(all, &c)
		}
		n := len(p.layers[i].rules)
		if n > 3 {
			without(func(r []*rule) []*rule { return r[n/2:] })
			without(func(r []*rule) []*rule { return r[:n/2] })
		}
		for k := range n {
			without(func(r []*rule) []*rule { return slices.Delete(r, k, k+1) })
			for j := range p.layers[i].rules[k].patterns {
				if len(p.layers[i].rules[k].patterns) > 1 {
					without(func(r []*rule) []*rule { r[k].patterns = slices.Delete(r[k].patterns, j, j+1); return r })
				}
			}
			if len(p.layers[i].rules[k].except) > 0 {
				without(func(r []*rule) []*rule { r[k].except = nil; return r })
			}
		}
	}
	return all
}
