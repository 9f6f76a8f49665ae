package palette

import (
	"fmt"
	"math"
)

// An rgb is a color in linear sRGB, each part from 0 to 1.
type rgb [3]float64

// An lch is a color in OKLCH. See https://www.w3.org/TR/css-color-4/#ok-lab.
type lch struct{ lightness, chroma, hue float64 }

func (c rgb) lch() lch {
	l := math.Cbrt(.4122214708*c[0] + .5363325363*c[1] + .0514459929*c[2])
	m := math.Cbrt(.2119034982*c[0] + .6806995451*c[1] + .1073969566*c[2])
	s := math.Cbrt(.0883024619*c[0] + .2817188376*c[1] + .6299787005*c[2])
	a := 1.9779984951*l - 2.4285922050*m + .4505937099*s
	b := .0259040371*l + .7827717662*m - .8086757660*s
	return lch{.2104542553*l + .7936177850*m - .0040720468*s, math.Hypot(a, b), math.Atan2(b, a)}
}

// rgb returns the color, with less chroma if sRGB cannot show it.
func (c lch) rgb() rgb {
	if shown := c.anyRGB(); shown.isShown() {
		return shown
	}
	low, high := 0., c.chroma
	for range 24 {
		c.chroma = (low + high) / 2
		if c.anyRGB().isShown() {
			low = c.chroma
		} else {
			high = c.chroma
		}
	}
	c.chroma = low
	return c.anyRGB()
}

func (c lch) anyRGB() rgb {
	a, b := c.chroma*math.Cos(c.hue), c.chroma*math.Sin(c.hue)
	l := math.Pow(c.lightness+.3963377774*a+.2158037573*b, 3)
	m := math.Pow(c.lightness-.1055613458*a-.0638541728*b, 3)
	s := math.Pow(c.lightness-.0894841775*a-1.2914855480*b, 3)
	return rgb{
		4.0767416621*l - 3.3077115913*m + .2309699292*s,
		-1.2684380046*l + 2.6097574011*m - .3413193965*s,
		-.0041960863*l - .7034186147*m + 1.7076147010*s,
	}
}

func (c rgb) isShown() bool {
	const rounding = 1e-4
	for _, part := range c {
		if part < -rounding || part > 1+rounding {
			return false
		}
	}
	return true
}

func (c lch) hex() string {
	shown := c.rgb()
	return fmt.Sprintf("#%02x%02x%02x", encoded(shown[0]), encoded(shown[1]), encoded(shown[2]))
}

// linear decodes a byte of sRGB.
func linear(value uint64) float64 {
	v := float64(value) / 255
	if v <= .04045 {
		return v / 12.92
	}
	return math.Pow((v+.055)/1.055, 2.4)
}

// encoded encodes a part of linear light as a byte of sRGB.
func encoded(v float64) uint8 {
	v = min(max(v, 0), 1)
	if v <= .0031308 {
		v *= 12.92
	} else {
		v = 1.055*math.Pow(v, 1/2.4) - .055
	}
	return uint8(math.Round(v * 255))
}
