package escape

import (
	"embed"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// lists say what is known to get out of each engine. The tests check each engine
// against its list, the self-test shows it to visitors, and docs/threat-model.md
// explains each group.
//
//go:embed open/*.txt
var lists embed.FS

// A Leak says what one row is known to get out of an engine although every defense is
// in force.
type Leak struct {
	Group string // a group of docs/threat-model.md
	// Signs are the strongest that a canary has seen: H a request, W a WebSocket, U a
	// packet, X bytes without a request, T a connection, D a lookup. Each sign includes
	// the weaker ones.
	Signs     string
	Sometimes bool // it does not happen every time
}

// weaker maps a sign to the signs that may be seen in its place: a request that is cut
// off appears as a connection, and a late connection as a lookup.
var weaker = map[string]string{"H": "XTD", "W": "XTD", "X": "TD", "T": "D", "U": "D"}

const withoutControl = "without control"

// An Expectation is what is known about an engine.
type Expectation struct {
	Leaks map[string]Leak // by row
	// Unproven are the rows that do not arrive even without defenses.
	Unproven map[string]bool
}

// Known returns an engine's list.
func Known(e Engine) (*Expectation, error) {
	text, err := lists.ReadFile("open/" + string(e) + ".txt")
	if err != nil {
		return nil, err
	}
	known, err := readExpectation(string(text))
	if err != nil {
		return nil, fmt.Errorf("open/%s.txt:%w", e, err)
	}
	return known, nil
}

// readExpectation parses a list. A line has a row's name, its signs, and perhaps
// "sometimes". A line [GROUP] precedes the rows with the same cause. Rows of the group
// "without control" have no signs.
func readExpectation(text string) (*Expectation, error) {
	known := &Expectation{map[string]Leak{}, map[string]bool{}}
	group := ""
	for i, line := range strings.Split(text, "\n") {
		fail := func(format string, a ...any) error {
			return fmt.Errorf("%d: %s", i+1, fmt.Sprintf(format, a...))
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
			known.Unproven[words[0]] = true
		case group != withoutControl && len(words) == 2 && strings.Trim(words[1], "HWUXTD") == "":
			if _, twice := known.Leaks[words[0]]; twice {
				return nil, fail("%s is there twice", words[0])
			}
			known.Leaks[words[0]] = Leak{group, words[1], sometimes}
		default:
			return nil, fail("%q is not a row's name, its signs, and perhaps \"sometimes\"", line)
		}
	}
	return known, nil
}

// Beyond returns the signs in seen that the leak does not include.
func (l Leak) Beyond(seen string) string {
	known := l.Signs
	for _, sign := range strings.Split(l.Signs, "") {
		known += weaker[sign]
	}
	return strings.Join(slices.DeleteFunc(strings.Split(seen, ""), func(sign string) bool {
		return strings.Contains(known, sign)
	}), "")
}

// Names returns all rows in the list.
func (e *Expectation) Names() []string {
	return append(slices.Sorted(maps.Keys(e.Leaks)), slices.Sorted(maps.Keys(e.Unproven))...)
}
