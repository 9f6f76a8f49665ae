package palette

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A Palette is a scale of shades of one color, from light to dark.
type Palette struct {
	// Color is the base color, with its hue turned.
	Color    string   `json:"color"`
	Swatches []Swatch `json:"swatches"`
}

// A Swatch is one shade.
type Swatch struct {
	Step int    `json:"step"`
	Hex  string `json:"hex"`
	// Ink is black or white, whichever is easier to read on the shade. Contrast is
	// their ratio as WCAG 2 defines it.
	Ink      string  `json:"ink"`
	Contrast float64 `json:"contrast"`
}

// steps are the names of the shades with their lightness in OKLCH. Equal differences
// look equal there, so all palettes are spaced alike.
var steps = []struct {
	name      int
	lightness float64
}{
	{50, .975}, {100, .94}, {200, .885}, {300, .81}, {400, .725}, {500, .64}, {600, .555}, {700, .475}, {800, .4}, {900, .325}, {950, .245},
}

// Make returns the palette of a color such as #17707b, whose hue it first turns by the
// given degrees.
func Make(color string, turn float64) (Palette, error) {
	base, err := parse(color)
	if err != nil {
		return Palette{}, err
	}
	base.hue += turn * math.Pi / 180
	palette := Palette{Color: base.hex()}
	for _, step := range steps {
		// The eye expects less color at both ends of the scale.
		shade := lch{step.lightness, base.chroma * math.Sqrt(math.Sin(math.Pi*step.lightness)), base.hue}
		swatch := Swatch{Step: step.name, Hex: shade.hex()}
		swatch.Ink, swatch.Contrast = ink(shade.rgb())
		palette.Swatches = append(palette.Swatches, swatch)
	}
	return palette, nil
}

func parse(color string) (lch, error) {
	digits, found := strings.CutPrefix(color, "#")
	value, err := strconv.ParseUint(digits, 16, 32)
	if !found || len(digits) != 6 || err != nil {
		return lch{}, fmt.Errorf("color %q is not # and six hexadecimal digits, such as #17707b", color)
	}
	return rgb{linear(value >> 16), linear(value >> 8 & 255), linear(value & 255)}.lch(), nil
}

// ink returns the better of black and white on a shade.
func ink(shade rgb) (hex string, contrast float64) {
	luminance := .2126*shade[0] + .7152*shade[1] + .0722*shade[2]
	onBlack, onWhite := (luminance+.05)/.05, 1.05/(luminance+.05)
	if onBlack > onWhite {
		return "#000000", math.Round(onBlack*10) / 10
	}
	return "#ffffff", math.Round(onWhite*10) / 10
}
