package escaping

import (
	"strings"
	"testing"
)

// What is weaker than what is listed is known with it: on a slow machine a connection
// may come too late, and its lookup is all that is seen.
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
		if more := (leak{signs: test.known}).beyond(test.seen); more != test.more {
			t.Errorf("%q is known and %q seen: %q more, want %q", test.known, test.seen, more, test.more)
		}
	}
}

func TestReadExpectation(t *testing.T) {
	known, err := readExpectation("# why\n[a group]\nlink/a X\nlink/b D sometimes\n[without control]\nlink/c\n")
	if err != nil {
		t.Fatal(err)
	}
	if got := known.leaks["link/a"]; got != (leak{"a group", "X", false}) {
		t.Errorf("link/a: %+v", got)
	}
	if got := known.leaks["link/b"]; got != (leak{"a group", "D", true}) {
		t.Errorf("link/b: %+v", got)
	}
	if !known.unproven["link/c"] || len(known.names()) != 3 {
		t.Errorf("%+v", known)
	}
	for text, want := range map[string]string{
		"link/a X":                    "open.txt:1: no [GROUP]",
		"[a]\nlink/a":                 "open.txt:2:",
		"[a]\nlink/a Q":               "open.txt:2:",
		"[a]\nlink/a X often":         "open.txt:2:",
		"[a]\n\nlink/a X\nlink/a T":   "open.txt:4: link/a is there twice",
		"[without control]\nlink/a X": "open.txt:2:",
	} {
		if _, err := readExpectation(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
