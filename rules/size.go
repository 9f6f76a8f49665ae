package rules

import (
	"strings"
	"unicode/utf8"
)

// The largest number of entries of a policy, and of one pair of brackets or braces. An entry
// is a key with its value, or an element of a list.
//
// Read as YAML, an entry takes up to 0.5 KB of memory, and 1.6 KB in brackets and braces. The
// YAML library keeps the contents of a pair until it knows that they are not a key (measured
// with go.yaml.in/yaml v4.0.0). 100,000 rules of usual size have 800,000 entries. Reading and
// compiling them takes 0.6 GB, and so does the worst case within these limits.
const (
	maxEntries     = 1_000_000
	maxFlowEntries = 400_000
)

// checkSize counts the entries of a file before it is read as YAML. It rejects the file with
// which the policy has too many.
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

// An entryCounter counts the entries of a text from its beginning.
//
// It looks at single characters and does not know what is quoted. So it counts too many
// entries inside quotes, and nowhere too few.
//
// Between two texts there is one of the characters that begin or separate entries. If there is
// none, as in "a""b", the file is not YAML. But the YAML library may notice that only at the
// end of the surrounding brackets. So quotes, anchors, and similar marks count too, if one
// entry has several of them.
type entryCounter struct {
	src  []byte
	at   int // the offset where counting continues
	free int // how many quotes and similar marks do not count before the next entry
}

// usualMarks is how many quotes, anchors, and similar marks one entry may have without
// counting more than once.
const usualMarks = 2

// next finds the next entry before the offset end and sets c.at to the entry's end. It reports
// whether there is one.
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

// indicator reports whether a text may end before the character, or begin after it, without a
// blank between them.
func indicator(c byte) bool { return strings.IndexByte(`,[]{}:"'`, c) >= 0 }

// placeOf returns the line and the column that follow a text. Both count from 1,
// columns in characters.
func placeOf(text []byte) (line, col int) {
	lines := splitLines(string(text))
	return len(lines), 1 + utf8.RuneCountInString(lines[len(lines)-1])
}
