package rules

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
	"go.yaml.in/yaml/v4"
)

// Guess returns a hint that names the allowed word nearest to an illegal one. It returns "" if
// no word is near enough.
func Guess[T ~string](word string, allowed []T) string {
	near, _ := nearest(word, allowed)
	return didYouMean(near)
}

func didYouMean(word string) string {
	if word == "" {
		return ""
	}
	return fmt.Sprintf("did you mean %s?", word)
}

// nearest returns the nearest allowed word, or "", and how many characters the two differ in.
func nearest[T ~string](word string, allowed []T) (best string, distance int) {
	return nearestWithin(word, allowed, len(word)/2)
}

// nearestWithin is nearest for words that differ in at most that many characters.
func nearestWithin[T ~string](word string, allowed []T, most int) (best string, distance int) {
	if meant := elsewhere[strings.ToLower(word)]; slices.Contains(allowed, T(meant)) {
		return meant, 0
	}
	distance = most + 1
	length := utf8.RuneCountInString(word)
	for _, a := range allowed {
		// A word can be as long as the file. A much longer word is never near.
		if length-len(a) >= distance {
			continue
		}
		if d := levenshtein.ComputeDistance(strings.ToLower(word), strings.ToLower(string(a))); d < distance {
			best, distance = string(a), d
		}
	}
	return best, distance
}

// word reads one word of a closed vocabulary.
func word[T ~string](p *parser, n *yaml.Node, what string, allowed []T) (T, bool) {
	text, ok := p.text(n, what)
	if !ok {
		return "", false
	}
	if !slices.Contains(allowed, T(text)) {
		p.unknownWord(n, text, what, texts(allowed))
		return "", false
	}
	return T(text), true
}

func (p *parser) unknownWord(n *yaml.Node, text, what string, allowed []string) {
	hint := Guess(text, allowed)
	switch {
	case slices.Contains(everything, strings.ToLower(text)) && (what == "methods" || what == "types"):
		hint = fmt.Sprintf("delete the key %s; a rule without it speaks of all %s", what, what)
	case what == "scripts" && (text == "self" || text == "'self'"):
		hint = "delete it; a sandbox's own script files always run"
	}
	for _, a := range allowed {
		if strings.EqualFold(text, a) {
			hint = "write " + a
		}
	}
	p.fail(n, hint, "unknown word %q in %s; the words are %s", cut(text), what, list(allowed))
}

// words reads a list of words from a closed vocabulary. It reports words that are unknown or
// repeated.
func words[T ~string](p *parser, n *yaml.Node, what string, allowed []T) []T {
	var all []T
	for _, element := range p.sequence(n, what, false) {
		if p.over() {
			break
		}
		text, ok := p.text(element, "an element of "+what)
		if !ok {
			continue
		}
		word := T(text)
		switch {
		case !slices.Contains(allowed, word):
			p.unknownWord(element, text, what, texts(allowed))
		case slices.Contains(all, word):
			p.fail(element, "delete one of the two", "%s stands twice in %s", text, what)
		default:
			all = append(all, word)
		}
	}
	return all
}
