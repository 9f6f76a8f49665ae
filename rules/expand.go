package rules

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/gobwas/glob"
)

// maxAlternatives is the largest number of alternatives that the braces of one pattern may
// make.
const maxAlternatives = 64

// A token is one character of a pattern's host or path, or one star. Braces are expanded on
// tokens, not on text. As text, "*{*,}" would expand to "**": two separate stars would become
// one that crosses separators.
type token struct {
	kind tokenKind
	text string // the character, if kind is literal
	off  int    // byte offset in the pattern
}

type tokenKind uint8

const (
	literal tokenKind = iota
	star
	globstar
)

func (t token) is(char string) bool { return t.kind == literal && t.text == char }

// An item is a token or, if it has alternatives, a pair of braces.
type item struct {
	token
	alternatives [][]token
}

// lex reads a host or path that begins at offset base of the pattern. The caller has rejected
// illegal characters. Of glob syntax only stars and braces remain, and gobwas/glob decides
// whether these are valid.
func lex(text string, separator rune, base int) ([]item, *patternError) {
	var syntax *glob.SyntaxError
	if _, err := glob.Compile(text, separator); errors.As(err, &syntax) {
		return nil, &patternError{base + syntax.Offset, "the pattern is no glob: " + syntax.Reason, "braces hold alternatives within a host or within a path: {a,b}"}
	} else if err != nil {
		return nil, &patternError{base, "the pattern is no glob: " + err.Error(), ""}
	}
	var items []item
	braces := -1 // the index in items of the open braces
	for at := 0; at < len(text); {
		_, size := utf8.DecodeRuneInString(text[at:])
		t := token{literal, text[at : at+size], base + at}
		switch {
		case t.text == "{" && braces >= 0:
			return nil, &patternError{t.off, "braces inside braces", "write the alternatives out in one pair of braces, or as a list of patterns"}
		case t.text == "{":
			braces = len(items)
			items = append(items, item{t, [][]token{nil}})
			at += size
			continue
		case t.text == "}" && braces < 0:
			return nil, &patternError{t.off, "a } without a { before it", "a brace as a character is written %7D, in a path"}
		case t.text == "}":
			braces = -1
			at += size
			continue
		case t.text == "," && braces >= 0:
			items[braces].alternatives = append(items[braces].alternatives, nil)
			at += size
			continue
		case t.text == "*":
			run := len(text[at:]) - len(strings.TrimLeft(text[at:], "*"))
			if run > 2 {
				return nil, &patternError{t.off, "more than two stars in a row", "* stays inside a label or segment, ** is whole ones"}
			}
			t.kind, size = tokenKind(run), run // star is 1, globstar is 2
		}
		at += size
		if braces >= 0 {
			last := &items[braces].alternatives[len(items[braces].alternatives)-1]
			*last = append(*last, t)
		} else {
			items = append(items, item{token: t})
		}
	}
	return items, nil
}

// count returns how many sequences expand would return.
func count(items []item) int {
	n := 1
	for _, i := range items {
		if i.alternatives != nil {
			n = min(n*len(i.alternatives), maxAlternatives+1)
		}
	}
	return n
}

// alternativesIn returns how many alternatives the braces of a pattern make, without parsing
// the rest of it. It returns 1 if there are too many, or if braces do not pair: such a pattern
// is rejected before it is expanded.
func alternativesIn(pattern string) int {
	n := 1
	for rest := pattern; ; {
		_, inside, open := strings.Cut(rest, "{")
		if !open {
			return n
		}
		if inside, rest, open = strings.Cut(inside, "}"); !open {
			return 1
		}
		if n *= 1 + strings.Count(inside, ","); n > maxAlternatives {
			return 1
		}
	}
}

// expand returns every sequence of tokens that the items stand for, in the order of the
// alternatives.
func expand(items []item) [][]token {
	all := [][]token{make([]token, 0, len(items))}
	for at, i := range items {
		if i.alternatives == nil {
			for n := range all {
				all[n] = append(all[n], i.token)
			}
			continue
		}
		longer := make([][]token, 0, len(all)*len(i.alternatives))
		for _, prefix := range all {
			for _, alternative := range i.alternatives {
				room := make([]token, 0, len(prefix)+len(alternative)+len(items)-at)
				longer = append(longer, append(append(room, prefix...), alternative...))
			}
		}
		all = longer
	}
	return all
}

// split cuts tokens at a literal separator. Every piece knows its offset, even an empty one.
// end is the offset after the last token.
func split(tokens []token, separator string, end int) []piece {
	all := []piece{{end: end}}
	if len(tokens) > 0 {
		all[0].off = tokens[0].off
	} else {
		all[0].off = end
	}
	begin := 0
	for at, t := range tokens {
		last := &all[len(all)-1]
		if t.is(separator) {
			last.end = t.off
			all = append(all, piece{off: t.off + 1, end: end})
			begin = at + 1
			continue
		}
		last.tokens = tokens[begin : at+1]
	}
	return all
}

// A piece is a label or segment in tokens.
type piece struct {
	tokens   []token
	off, end int
}

// only reports whether the piece is a single token of the kind.
func (p piece) only(kind tokenKind) bool { return len(p.tokens) == 1 && p.tokens[0].kind == kind }

// misplaced has the hint about a ** in the wrong position, by the kind of piece.
var misplaced = map[string]string{
	"label":   "in a host it stands only at the beginning, **.example.com; write * to stay inside a label",
	"segment": "in a path it stands only between slashes, /**/; write * to stay inside a segment",
}

// part joins the tokens. For each byte of prefix and suffix, offsets has its offset in the
// pattern. what is "label" or "segment".
func (p piece) part(what string) (part Part, offsets [2][]int, err *patternError) {
	var texts [2]strings.Builder
	side := 0
	for _, t := range p.tokens {
		switch {
		case t.kind == globstar:
			return part, offsets, &patternError{t.off, fmt.Sprintf("a ** where it does not stand for whole %ss", what), misplaced[what]}
		case t.kind == star && part.Star:
			return part, offsets, &patternError{t.off, fmt.Sprintf("a second * in the same %s", what), "one is allowed, so that no URL can make matching slow; write several patterns"}
		case t.kind == star:
			part.Star, side = true, 1
		default:
			texts[side].WriteString(t.text)
			for n := range len(t.text) {
				offsets[side] = append(offsets[side], t.off+n)
			}
		}
	}
	part.Prefix, part.Suffix = texts[0].String(), texts[1].String()
	return part, offsets, nil
}
