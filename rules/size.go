package rules

import (
	"strings"
	"unicode/utf8"
)

// The most entries of a policy, and of what one pair of brackets or braces holds. An
// entry is a key with its value, or an element of a list. Read as YAML it takes up to
// 0.5 KB of memory; and in brackets and braces 1.6 KB, because the YAML library keeps what
// is in them until it knows that they are no key (measured with go.yaml.in/yaml v4.0.0).
// 100,000 rules of usual size have 800,000 entries. Reading and compiling them takes
// 0.6 GB, and so does the worst that the caps let through.
const (
	maxEntries     = 1_000_000
	maxFlowEntries = 400_000
)

// checkSize counts the entries of a file, before it is read as YAML. It refuses the
// file with which the policy has too many.
func (p *parser) checkSize(src []byte) bool {
	for c := (entryCounter{src: src, free: usualMarks}); c.next(len(src)); {
		if p.entries++; p.entries > maxEntries {
			line, col := placeOf(src[:c.at-1])
			p.report(line, col, "use braces and *. instead of long lists", "more than %d keys and elements of lists up to here, the most that a policy may have", maxEntries)
			return false
		}
	}
	return true
}

// An entryCounter counts the entries of a text from its beginning on.
//
// It looks at single characters, so that it need not know what is quoted: it counts
// too much there, and nowhere too little. Between two texts stands one of
// the characters that begin or part entries. Where there is none, as between "a""b",
// the file is not YAML, but the YAML library may notice only at the end of the brackets
// that they are in; so quotes, anchors and the like count, too, if there are several
// of them in one entry.
type entryCounter struct {
	src  []byte
	at   int // where it goes on counting
	free int // how many quotes and the like do not count before the next entry
}

// usualMarks is how many quotes, anchors and the like one entry may have without
// counting more than once.
const usualMarks = 2

// next finds the next entry before an offset; it ends at c.at. It reports whether there
// is one.
func (c *entryCounter) next(end int) bool {
	for c.at < end {
		before, after := byte('\n'), byte('\n')
		if c.at > 0 {
			before = c.src[c.at-1]
		}
		if c.at+1 < len(c.src) {
			after = c.src[c.at+1]
		}
		c.at++
		switch c.src[c.at-1] {
		case ',', '[', '{':
		case '-', '?':
			if !blank(after) {
				continue
			}
		case ':':
			if !blank(after) && !indicator(after) && !blank(before) && !indicator(before) {
				continue
			}
		case '"', '\'', '*', '&', '!', '|', '>':
			if !blank(before) && !indicator(before) {
				continue
			}
			if c.free--; c.free < 0 {
				return true
			}
			continue
		default:
			continue
		}
		c.free = usualMarks
		return true
	}
	return false
}

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// indicator reports whether a text may end before, or begin after the character
// without a blank between them.
func indicator(c byte) bool { return strings.IndexByte(`,[]{}:"'`, c) >= 0 }

// placeOf returns the line and the column that follow a text. Both count from 1,
// columns in characters.
func placeOf(text []byte) (line, col int) {
	lines := splitLines(string(text))
	return len(lines), 1 + utf8.RuneCountInString(lines[len(lines)-1])
}
