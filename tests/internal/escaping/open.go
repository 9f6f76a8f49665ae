package escaping

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A leak is what is known to get out.
type leak struct {
	group     string
	signs     string // letters of the table
	sometimes bool
}

// weaker is what may be all that is seen of a sign: a request that is cut off is a
// connection, and a connection that is late a lookup.
var weaker = map[string]string{"H": "XTD", "W": "XTD", "X": "TD", "T": "D", "U": "D"}

const withoutControl = "without control"

// An expectation is what is known of an engine.
type expectation struct {
	leaks    map[string]leak // by row
	unproven map[string]bool // the rows without a control
}

// readExpectation reads a [Browser.Known].
func readExpectation(text string) (*expectation, error) {
	known := &expectation{map[string]leak{}, map[string]bool{}}
	group := ""
	for i, line := range strings.Split(text, "\n") {
		fail := func(format string, a ...any) error {
			return fmt.Errorf("open.txt:%d: %s", i+1, fmt.Sprintf(format, a...))
		}
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
			continue
		case strings.HasPrefix(line, "["):
			group = strings.Trim(line, "[]")
			continue
		}
		words := strings.Fields(line)
		sometimes := words[len(words)-1] == "sometimes"
		if sometimes {
			words = words[:len(words)-1]
		}
		switch {
		case group == "":
			return nil, fail("no [GROUP] stands before %q", line)
		case group == withoutControl && len(words) == 1 && !sometimes:
			known.unproven[words[0]] = true
		case group != withoutControl && len(words) == 2 && strings.Trim(words[1], "HWUXTD") == "":
			if _, twice := known.leaks[words[0]]; twice {
				return nil, fail("%s is there twice", words[0])
			}
			known.leaks[words[0]] = leak{group, words[1], sometimes}
		default:
			return nil, fail("%q is not a row's name, its signs, and perhaps \"sometimes\"", line)
		}
	}
	return known, nil
}

// beyond returns the signs that are more than what is known of a row.
func (l leak) beyond(seen string) string {
	known := l.signs
	for _, sign := range strings.Split(l.signs, "") {
		known += weaker[sign]
	}
	return strings.Join(slices.DeleteFunc(strings.Split(seen, ""), func(sign string) bool {
		return strings.Contains(known, sign)
	}), "")
}

// names are all rows that the list speaks of.
func (e *expectation) names() []string {
	return append(slices.Sorted(maps.Keys(e.leaks)), slices.Sorted(maps.Keys(e.unproven))...)
}
