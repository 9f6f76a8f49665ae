package main

import (
	"strconv"
	"strings"
)

// url draws a request. In four of ten cases a rule names it.
func (d *drawer) url(rules []rule) string {
	r := rules[d.IntN(len(rules))]
	switch n := d.IntN(100); {
	case n < 39:
	case n < 51: // a host that has rules, with another path
		r.path = "/" + pick(d, words) + d.number(80) + "/" + pick(d, directories) + "/" + d.file()
		if d.chance(50) {
			r.port = 8080
		}
	case n < 57: // a name that resembles one that has rules
		r.host = strings.TrimPrefix(r.host, "*.")
		r.host = "x" + strings.ReplaceAll(r.host, ".", "-") + "." + d.newDomain()
	default:
		r.host, r.port = d.below(d.newDomain()), 0
	}
	return d.withQuery(r.scheme + "://" + d.filled(r.host, ".") + d.portOf(r) + d.filledPath(r.path))
}

// filled replaces stars by text, so that the pattern matches.
func (d *drawer) filled(pattern, separator string) string {
	if rest, ok := strings.CutPrefix(pattern, "*."); ok && separator == "." {
		pattern = d.below(rest)
	}
	for strings.Contains(pattern, "*") {
		pattern = strings.Replace(pattern, "*", pick(d, words)+d.number(50), 1)
	}
	return pattern
}

func (d *drawer) filledPath(pattern string) string {
	switch directory, ok := strings.CutSuffix(pattern, "/**"); {
	case pattern == "" && d.chance(20):
		return "/"
	case pattern == "":
		return d.directories() + "/" + d.file()
	case ok:
		return directory + d.directories() + "/" + d.file()
	}
	return d.filled(pattern, "/")
}

func (d *drawer) portOf(r rule) string {
	switch {
	case r.port == anyPort && d.chance(50), r.port == 0:
		return ""
	case r.port == anyPort:
		return ":3000"
	}
	return ":" + strconv.Itoa(r.port)
}

// withQuery makes the URL as long as most URLs are, 60 to 90 characters.
func (d *drawer) withQuery(url string) string {
	length := 60 + d.IntN(31)
	if len(url)+len("?id=1") > length {
		return url
	}
	url += "?"
	for len(url) < length {
		url += pick(d, words) + "=" + strconv.Itoa(d.IntN(1_000_000)) + "&"
	}
	return strings.TrimRight(url[:length], "=&")
}
