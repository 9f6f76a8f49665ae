package agree

import (
	"fmt"
	"strings"
)

// A piece is part of a pattern in two spellings: as the policy writes it, and as gobwas/glob
// must read it. The latter has the canonical spelling of a URL, with a backslash before
// characters that glob would read as syntax. Both are written by hand, side by side, so that
// no code of package rules is involved.
type piece struct{ written, glob string }

// A text is a sequence of pieces. If a place has several alternatives, the policy has them in
// braces. gobwas/glob, whose braces have a known bug, gets each alternative separately.
type text [][]piece

func plain(all ...string) text {
	t := make(text, len(all))
	for i, s := range all {
		t[i] = []piece{{s, s}}
	}
	return t
}

func (t text) written() string {
	var b strings.Builder
	for _, place := range t {
		if len(place) == 1 {
			b.WriteString(place[0].written)
			continue
		}
		for i, p := range place {
			b.WriteString([]string{"{", ","}[min(i, 1)] + p.written)
		}
		b.WriteString("}")
	}
	return b.String()
}

// globs returns the alternatives, in the order of the braces.
func (t text) globs() []string {
	all := []string{""}
	for _, place := range t {
		var longer []string
		for _, before := range all {
			for _, p := range place {
				longer = append(longer, before+p.glob)
			}
		}
		all = longer
	}
	return all
}

// A pattern is a drawn pattern. Its path may be empty.
type pattern struct {
	scheme     string
	host, path text
	port       string // with its colon, or ""
}

func (p pattern) written() string {
	return p.scheme + "://" + p.host.written() + p.port + p.path.written()
}

// There are few labels and few segments, so that rules overlap and requests match them.
var (
	labels = []piece{
		{"a", "a"}, {"b", "b"}, {"ab", "ab"}, {"A", "a"}, {"*", "*"}, {"a*", "a*"}, {"*b", "*b"}, {"a*b", "a*b"}, {"a_b", "a_b"}, {"1", "1"},
		{"xn--bcher-kva", "xn--bcher-kva"}, {"bücher", "xn--bcher-kva"}, {"x*", "x*"}, {"*a", "*a"}, {"a*a", "a*a"}, {"a-b", "a-b"}, {"0x1", "0x1"},
	}
	labelBraces = [][]piece{
		{{"a", "a"}, {"b", "b"}}, {{"a", "a"}, {"b.a", "b.a"}}, {{"*", "*"}, {"ab", "ab"}}, {{"a*", "a*"}, {"*b", "*b"}, {"1", "1"}}, {{"B", "b"}, {"bücher", "xn--bcher-kva"}},
	}
	bases = []string{"a.b", "a.b", "b.b", "a.a", "a.b.a.b", "example.com", "xn--bcher-kva.example"}
	whole = []text{
		plain("localhost"), plain("127.0.0.1"), plain("10.0.0.7"), {{{"192.168.0.", "192.168.0."}}, {{"1", "1"}, {"2", "2"}}}, plain("8.8.8.8"), plain("intranet"),
		{{{"[::1]", `\[::1\]`}}}, {{{"[2001:DB8:0::1]", `\[2001:db8::1\]`}}}, {{{"EXAMPLE.com", "example.com"}}}, plain("_dmarc.example.com"),
	}
	segments = []piece{
		{"a", "a"}, {"b", "b"}, {"*", "*"}, {"**", "**"}, {"ab", "ab"}, {"a*", "a*"}, {"*b", "*b"}, {"a*b", "a*b"}, {"ab*b", "ab*b"}, {"*.js", "*.js"}, {"", ""}, {"A", "A"}, {"v1", "v1"},
		{"%61", "a"}, {"caf%c3%a9", "caf%C3%A9"}, {"café", "caf%C3%A9"}, {"a%20b", "a%20b"}, {"x;y,z", "x;y,z"}, {"@a:b", "@a:b"}, {"a!$&'()+=~", "a!$&'()+=~"},
		{"%2A", `\*`}, {"%2a*", `\**`}, {"^", "%5E"}, {"a|`", "a%7C%60"}, {"%5b*%5D", "%5B*%5D"}, {"%7Ba%7D", "%7Ba%7D"}, {"...", "..."}, {"a%2Eb", "a.b"}, {"%25", "%25"}, {"%3F%23", "%3F%23"},
	}
	segmentBraces = [][]piece{
		{{"a", "a"}, {"b", "b"}}, {{"a/b", "a/b"}, {"b", "b"}}, {{"*", "*"}, {"v1", "v1"}}, {{"**", "**"}, {"a", "a"}}, {{"a*", "a*"}, {"*b", "*b"}, {"", ""}}, {{"%61", "a"}, {"é", "%C3%A9"}},
	}
)

func drawPattern(d *dice, schemes ...string) pattern {
	p := pattern{scheme: pick(d, schemes...), host: drawHost(d), port: drawPort(d)}
	if !d.seldom(4) {
		p.path = drawPath(d)
	}
	return p
}

func drawPort(d *dice) string {
	return pick(d, "", "", "", "", "", ":*", ":8080", ":443", ":80", ":1")
}

func drawHost(d *dice) text {
	if d.seldom(8) {
		return pick(d, whole...)
	}
	var host text
	if d.n(3) == 0 {
		host = plain(pick(d, "*", "**"), ".")
	}
	for range d.n(3) {
		if d.seldom(5) {
			host = append(host, pick(d, labelBraces...), []piece{{".", "."}})
		} else {
			host = append(host, []piece{pick(d, labels...)}, []piece{{".", "."}})
		}
	}
	if d.seldom(12) { // a suffix that must match whole labels only
		return append(host, []piece{{"a", "a"}, {"", ""}}, []piece{{"b.", "b."}}, []piece{{"a.b", "a.b"}})
	}
	return append(host, plain(pick(d, bases...))...)
}

func drawPath(d *dice) text {
	var path text
	for n := d.n(5); n >= 0; n-- {
		path = append(path, []piece{{"/", "/"}})
		switch d.n(8) {
		case 0:
			path = append(path, pick(d, segmentBraces...))
		case 1: // braces in a segment
			path = append(path, []piece{pick(d, segments[0], segments[1], segments[5])}, []piece{{"", ""}, {"beta", "beta"}})
		case 2, 3:
			path = append(path, []piece{pick(d, segments...)})
		default: // these overlap most
			path = append(path, []piece{pick(d, segments[:13]...)})
		}
	}
	return path
}

// drawExact draws a pattern that the browser's own policies can enforce. Without such patterns
// no rule may allow a WebSocket or a frame.
func drawExact(d *dice, schemes ...string) pattern {
	host := plain(pick(d, bases...))
	if d.n(3) == 0 {
		host = append(plain("*."), host...)
	}
	path := pick(d, nil, plain("/**"), plain("/a/b"), plain("/a/**"), plain("/v1"), plain("/x;y,z"), text{{{"/caf%c3%a9", "/caf%C3%A9"}}}, text{{{"/", "/"}}, segmentBraces[0]})
	return pattern{scheme: pick(d, schemes...), host: host, port: drawPort(d), path: path}
}

// drawCrowded draws a pattern of a host that has many. They share directories, so that the
// program's index splits by path.
func drawCrowded(d *dice, host text, scheme string) pattern {
	path := text{}
	for range d.n(4) {
		path = append(path, plain("/", pick(d, "d", "e", "d", "f", "*"))...)
	}
	path = append(path, plain("/", pick(d, "x", "y", "z", "**", "*", "*.js", "", "x*x", "d", "e", "d/x", "**/x", "x//y"))...)
	if d.seldom(12) {
		path = nil
	}
	return pattern{scheme: scheme, host: host, path: path}
}

// drawNumbered draws a pattern of one of many hosts.
func drawNumbered(d *dice) pattern {
	host := plain(pick(d, "", "", "*.", "a*."), fmt.Sprintf("node%d.", d.n(90)), pick(d, bases...))
	return pattern{scheme: pick(d, "https", "https", "http"), host: host, path: pick(d, nil, plain("/a/**"), plain("/", fmt.Sprintf("p%d", d.n(9)), "/b"), plain("/d/*"))}
}
