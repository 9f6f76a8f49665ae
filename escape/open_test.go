package escape

import (
	"slices"
	"strings"
	"testing"
)

// A leak includes its weaker signs: on a slow machine a connection may come too late,
// and only its lookup is seen.
func TestBeyond(t *testing.T) {
	for _, test := range []struct{ known, seen, more string }{
		{"", "", ""}, {"", "D", "D"}, {"", "HX", "HX"},
		{"D", "D", ""}, {"D", "T", "T"}, {"D", "U", "U"},
		{"T", "D", ""}, {"T", "X", "X"}, {"T", "U", "U"},
		{"X", "T", ""}, {"X", "HX", "H"},
		{"U", "D", ""}, {"U", "T", "T"}, {"UT", "T", ""},
		{"H", "X", ""}, {"H", "HU", "U"}, {"H", "W", "W"},
		{"W", "T", ""}, {"W", "H", "H"},
	} {
		if more := (Leak{Signs: test.known}).Beyond(test.seen); more != test.more {
			t.Errorf("%q is known and %q seen: %q more, want %q", test.known, test.seen, more, test.more)
		}
	}
}

func TestReadExpectation(t *testing.T) {
	known, err := readExpectation("# why\n[a group]\nlink/a X\nlink/b D sometimes\n[without control]\nlink/c\n")
	if err != nil {
		t.Fatal(err)
	}
	if got := known.Leaks["link/a"]; got != (Leak{"a group", "X", false}) {
		t.Errorf("link/a: %+v", got)
	}
	if got := known.Leaks["link/b"]; got != (Leak{"a group", "D", true}) {
		t.Errorf("link/b: %+v", got)
	}
	if !known.Unproven["link/c"] || len(known.Names()) != 3 {
		t.Errorf("%+v", known)
	}
	for text, want := range map[string]string{
		"link/a X":                    "1: no [GROUP]",
		"[a]\nlink/a":                 "2:",
		"[a]\nlink/a Q":               "2:",
		"[a]\nlink/a X often":         "2:",
		"[a]\n\nlink/a X\nlink/a T":   "4: link/a is there twice",
		"[without control]\nlink/a X": "2:",
	} {
		if _, err := readExpectation(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// Each engine's list can be parsed and names existing rows.
func TestKnown(t *testing.T) {
	rows, err := Rows()
	if err != nil {
		t.Fatal(err)
	}
	for _, engine := range Engines {
		known, err := Known(engine)
		if err != nil {
			t.Fatal(err)
		}
		if len(known.Leaks) == 0 {
			t.Errorf("%s: the list is empty", engine)
		}
		for _, name := range known.Names() {
			if !slices.ContainsFunc(rows, func(r Row) bool { return r.Name == name }) {
				t.Errorf("%s: %s is no row", engine, name)
			}
		}
	}
}
