package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"go.yaml.in/yaml/v4"
)

var (
	policyKeys = []string{"version", "default", "scripts", "rules"}
	ruleKeys   = []string{"id", "allow", "block", "except", "methods", "types", "reason"}
)

// Methods lists the request methods that a rule can name. A browser sends them
// in upper case (https://fetch.spec.whatwg.org/#concept-method-normalize).
var Methods = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}

// guess returns a hint that names the nearest allowed word, or "" if none is
// near enough to have been meant.
func guess[T ~string](word string, allowed []T) string {
	best, distance := "", len(word)/2+1
	for _, a := range allowed {
		if d := levenshtein.ComputeDistance(strings.ToLower(word), string(a)); d < distance {
			best, distance = string(a), d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("did you mean %s?", best)
}

// words reads a list of words from a closed vocabulary. It reports words that
// are unknown or stand twice.
func words[T ~string](p *parser, n *yaml.Node, what string, allowed []T) []T {
	var all []T
	for _, element := range p.sequence(n, what, false) {
		text, ok := p.text(element, "an element of "+what)
		if !ok {
			continue
		}
		word := T(text)
		switch {
		case !slices.Contains(allowed, word):
			hint := guess(text, allowed)
			for _, a := range allowed {
				if strings.EqualFold(text, string(a)) {
					hint = "write " + string(a)
				}
			}
			p.fail(element, hint, "unknown word %q in %s; the words are %s", text, what, list(allowed))
		case slices.Contains(all, word):
			p.fail(element, "delete one of the two", "%s stands twice in %s", text, what)
		default:
			all = append(all, word)
		}
	}
	return all
}
