package rules

import (
	"errors"
	"fmt"
	"strings"

	"github.com/bellglass/bellglass/rules/rule"
)

// compilePaths returns the alternatives of a path that begins at offset base. The path begins
// with a slash, or is "" for any path.
func compilePaths(text string, base int) ([][]Segment, *patternError) {
	if text == "" {
		return [][]Segment{nil}, nil
	}
	if at := strings.IndexAny(text, "[]"); at >= 0 {
		return nil, &patternError{base + at, "brackets in a path; a character class is not part of this language", "write alternatives in braces, {a,b}; the characters themselves are %5B and %5D"}
	}
	items, err := lex(text, '/', base)
	if err != nil {
		return nil, err
	}
	if count(items) > maxAlternatives {
		return nil, tooMany(base + strings.IndexByte(text, '{'))
	}
	var paths [][]Segment
	for _, tokens := range expand(items) {
		var path []Segment
		// The piece before the first slash is empty.
		for _, segment := range split(tokens, "/", base+len(text))[1:] {
			s, err := compileSegment(segment)
			if err != nil {
				return nil, err
			}
			path = append(path, s)
		}
		if err := checkBetween(path, base); err != nil {
			return nil, err
		}
		paths = append(paths, path)
	}
	return paths, nil
}

func checkBetween(path []Segment, off int) *patternError {
	last := -1
	for i, segment := range path {
		if !segment.Any {
			continue
		}
		if last >= 0 && i-last-1 > rule.MaxBetween {
			return &patternError{off, fmt.Sprintf("%d segments between two **; %d are allowed, so that no URL can make matching slow", i-last-1, rule.MaxBetween), "leave out what need not be said, or write several patterns"}
		}
		last = i
	}
	return nil
}

func compileSegment(segment piece) (Segment, *patternError) {
	if segment.only(globstar) {
		return Segment{Any: true}, nil
	}
	part, offsets, err := segment.part("segment")
	if err != nil {
		return Segment{}, err
	}
	for side, text := range []*string{&part.Prefix, &part.Suffix} {
		canonical, err := rule.CanonicalText(*text)
		var wrong *rule.PathError
		if errors.As(err, &wrong) {
			return Segment{}, &patternError{offsets[side][wrong.Offset], wrong.Msg, "a request with such a path is always blocked; the character % itself is written %25"}
		}
		*text = canonical
	}
	if !part.Star && rule.DotSegment(part.Prefix) {
		return Segment{}, &patternError{segment.off, "a dot segment; browsers resolve it before they send a request", "write the path that it leads to"}
	}
	return Segment{Part: part}, nil
}
