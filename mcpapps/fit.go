package mcpapps

import (
	"slices"

	"github.com/bellglass/bellglass/rules"
)

// fit returns a policy of the entries within all files. It cuts entries if the rules
// reject the policy or a header has no room for it: an app never gets a wider source
// instead of the one it declared. An error concerns the operator's file alone.
func (f *files) fit(entries []entry) (kept []entry, cuts []Cut, policy *rules.Policy, err error) {
	policy, reason := f.try(entries)
	if reason == "" {
		return entries, nil, policy, nil
	}
	if policy, err = f.load(nil); err != nil {
		return nil, nil, nil, err
	}
	// A block rule of the operator can restrict frames and WebSockets more finely than
	// a browser can. Then the rules reject those entries.
	seen := slices.DeleteFunc(slices.Clone(entries), entry.byBrowserAlone)
	for _, some := range [][]entry{entries, seen} {
		if first, fitting := f.first(some); len(first) > len(kept) {
			kept, policy = first, fitting
		}
	}
	for _, e := range entries {
		if !slices.Contains(kept, e) {
			cuts = append(cuts, Cut{e.field, e.text, reason})
		}
	}
	return kept, cuts, policy, nil
}

// first returns as many of the first entries as make a valid policy, and the policy.
func (f *files) first(entries []entry) (kept []entry, policy *rules.Policy) {
	low, high := 0, len(entries)
	for low < high {
		middle := (low + high + 1) / 2
		if fitting, reason := f.try(entries[:middle]); reason == "" {
			low, policy = middle, fitting
		} else {
			high = middle - 1
		}
	}
	return slices.Clip(entries[:low]), policy
}

// try returns the policy of the entries, or the reason why there is none.
func (f *files) try(entries []entry) (policy *rules.Policy, reason string) {
	policy, err := f.load(entries)
	switch {
	case err != nil:
		return nil, firstMistake(err)
	case policy.Browser().Widened():
		return nil, "the declaration has more domains than a header has room for"
	}
	return policy, ""
}
