package palette

import (
	"fmt"
	"strings"
	"testing"
)

func TestMake(t *testing.T) {
	for _, test := range []struct {
		color string
		turn  float64
		want  string // the palette's color and three of its shades
	}{
		{"#17707b", 0, "#17707b #e6fbff #2e808b #00262b"},
		{"#17707B", 360, "#17707b #e6fbff #2e808b #00262b"},
		{"#808080", 90, "#808080 #f7f7f7 #737373 #202020"}, // gray has no hue to turn
		{"#000000", 0, "#000000 #f7f7f7 #737373 #202020"},
	} {
		got, err := Make(test.color, test.turn)
		if err != nil {
			t.Fatal(err)
		}
		if s := fmt.Sprintln(got.Color, got.Swatches[0].Hex, got.Swatches[6].Hex, got.Swatches[10].Hex); strings.TrimSpace(s) != test.want {
			t.Errorf("%s turned by %v: %s, want %s", test.color, test.turn, s, test.want)
		}
	}
}

// The ink is readable on every shade of every hue: WCAG requires 4.5 for text.
func TestContrast(t *testing.T) {
	for turn := range 360 {
		made, err := Make("#ff0000", float64(turn))
		if err != nil {
			t.Fatal(err)
		}
		for _, swatch := range made.Swatches {
			if swatch.Contrast < 4.5 {
				t.Errorf("turned by %d, %+v", turn, swatch)
			}
		}
	}
}

func TestMakeRejects(t *testing.T) {
	for _, color := range []string{"", "#", "#fff", "17707b", "#17707g", "#17707b0", "#+17707", "teal"} {
		if got, err := Make(color, 0); err == nil {
			t.Errorf("%q becomes %+v", color, got)
		}
	}
}
