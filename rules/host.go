package rules

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"

	"github.com/bellglass/bellglass/rules/rule"
)

// compileHosts returns the alternatives of a host that begins at offset base.
func compileHosts(text string, base int) ([]Host, *patternError) {
	if text == "" {
		return nil, &patternError{base, "the pattern has no host", "write scheme://host, for instance https://example.com"}
	}
	if text[0] == '[' {
		return compileIPv6(text, base)
	}
	for at, r := range text {
		switch r {
		case '[', ']':
			return nil, &patternError{base + at, "brackets in a host; a character class is not part of this language", "write alternatives in braces, {a,b}; only an IPv6 address stands in brackets"}
		case '%':
			return nil, &patternError{base + at, "a percent-encoding in the host", "write the host name itself"}
		case ':':
			if strings.Contains(text, "{") {
				return nil, portInBraces(base + at)
			}
			return nil, &patternError{base + at, "more than one colon in the host", "an IPv6 address stands in brackets, [::1]"}
		}
	}
	items, err := lex(text, '.', base)
	if err != nil {
		return nil, err
	}
	if count(items) > maxAlternatives {
		return nil, tooMany(base + strings.IndexByte(text, '{'))
	}
	var hosts []Host
	for _, tokens := range expand(items) {
		host, err := compileHost(split(tokens, ".", base+len(text)))
		if err != nil {
			return nil, err
		}
		hosts = append(hosts, host)
	}
	return hosts, nil
}

func compileHost(labels []piece) (Host, *patternError) {
	var host Host
	first, end := labels[0].off, labels[len(labels)-1].end
	all := labels
	if len(labels) == 1 && labels[0].only(globstar) {
		labels[0].tokens[0].kind = star // checkWidth rejects both alike
	}
	if len(labels) > 1 && (labels[0].only(star) || labels[0].only(globstar)) {
		host.Sub, labels = true, labels[1:]
	}
	for i, label := range labels {
		part, err := compileLabel(label, i == len(labels)-1)
		if err != nil {
			return host, err
		}
		host.Labels = append(host.Labels, part)
	}
	if last := len(host.Labels) - 1; isNumber(host.Labels[last]) || host.Labels[last] == (Part{Star: true}) && last > 0 && isNumber(host.Labels[last-1]) {
		return host, checkIPv4(host, first)
	}
	return host, checkWidth(host, all, end)
}

// checkWidth rejects a star that matches names that anybody could register: in the last two
// labels, or right before a public suffix (https://publicsuffix.org).
func checkWidth(host Host, labels []piece, end int) *patternError {
	for i, label := range labels {
		open := i == 0 && host.Sub
		if !open && !host.Labels[i+len(host.Labels)-len(labels)].Star {
			continue
		}
		below := rule.JoinLiteral(host.Labels[len(host.Labels)-(len(labels)-1-i):])
		if i >= len(labels)-2 {
			return &patternError{label.off, "a star in the last two labels of a host; it would match names of other owners", ownersHint(host, below)}
		}
		if below == "" {
			continue // a star further right decides
		}
		if suffix, _ := publicsuffix.PublicSuffix(below); suffix == below {
			return &patternError{label.off, fmt.Sprintf("a star right before %s, below which anybody can have a name", below), "name one more label, as in *.example." + below}
		}
	}
	return nil
}

// ownersHint returns the hint for a host with a star in its last two labels. below is the part
// after its first star.
func ownersHint(host Host, below string) string {
	first, last := host.Labels[0], host.Labels[len(host.Labels)-1]
	switch {
	case !host.Sub && len(host.Labels) == 1 && first == (Part{Star: true}):
		return "name the hosts, a pattern each; the log shows which ones the page asks for"
	case !host.Sub && first.Star && first.Prefix == "" && first.Suffix != "" && below != "":
		// The author meant the star to stand before a dot.
		name := strings.TrimLeft(first.Suffix, "-") + "." + below
		return fmt.Sprintf("*%s.%s also matches evil%s.%s; write a list of %s and *.%s", first.Suffix, below, first.Suffix, below, name, name)
	case last.Star && last.Prefix != "" && last.Suffix == "":
		// The author meant the star to stand for a path.
		last.Star = false
		if name := rule.JoinLiteral(slices.Concat(host.Labels[:len(host.Labels)-1], []Part{last})); name != "" {
			return fmt.Sprintf("leave the star out; a pattern without a path covers every path of %s", name)
		}
	}
	return "name the last two labels literally, as in *.example.com"
}

// compileLabel makes a label canonical: ASCII in lower case. last distinguishes the empty
// label after a trailing dot from other empty labels.
func compileLabel(label piece, last bool) (Part, *patternError) {
	if len(label.tokens) == 0 {
		if last {
			return Part{}, &patternError{max(label.off-1, 0), "the host ends in a dot; a request to such a host is always blocked", "leave the dot out"}
		}
		return Part{}, &patternError{label.off, "an empty label in the host", "two dots in a row, or a dot at the beginning, make no host name"}
	}
	part, offsets, err := label.part("label")
	if err != nil {
		return part, err
	}
	part.Prefix, part.Suffix = strings.ToLower(part.Prefix), strings.ToLower(part.Suffix)
	if !isASCII(part.Prefix+part.Suffix) || strings.HasPrefix(part.Prefix, rule.PunycodePrefix) {
		if part.Star {
			return part, &patternError{label.off, "a star in an internationalized label", "name such labels literally, because browsers differ in how they spell them"}
		}
		if part.Prefix, err = punycode(part.Prefix, label.off); err != nil {
			return part, err
		}
		offsets[0] = nil // punycode has no offsets in the pattern; use label.off
	}
	for side, text := range []string{part.Prefix, part.Suffix} {
		for i := range len(text) {
			c := text[i]
			off := label.off
			if i < len(offsets[side]) {
				off = offsets[side][i]
			}
			outer := !part.Star || side == 0
			if !rule.IsAlphanumeric(c) && c != '_' && c != '-' {
				return part, &patternError{off, fmt.Sprintf("the character %q in a host", c), "a host has letters, digits, hyphens, underscores and dots"}
			}
			if c == '-' && (outer && i == 0 || side == 1 && i == len(text)-1 || !part.Star && i == len(text)-1) {
				return part, &patternError{off, "a hyphen at the beginning or end of a label", "no host name has one there"}
			}
		}
	}
	return part, nil
}

// punycode checks an internationalized label and spells it as browsers do (UTS #46, the
// profile for lookups).
func punycode(label string, off int) (string, *patternError) {
	ascii, err := idna.Lookup.ToASCII(label)
	if err != nil {
		return "", &patternError{off, fmt.Sprintf("%q is no internationalized label: %v", label, err), "look the name up in its punycode form, xn--…"}
	}
	if strings.Contains(ascii, ".") {
		return "", &patternError{off, "a character that stands for a dot", "write the dot as ."}
	}
	return ascii, nil
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
