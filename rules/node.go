package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

func (p *parser) fail(n *yaml.Node, hint, format string, args ...any) {
	p.report(n.Line, n.Column, hint, format, args...)
}

// position returns where in its file a node begins.
func position(n *yaml.Node) Pos { return Pos{Line: n.Line, Col: n.Column} }

// kindOf returns a phrase for the kind of a node, for messages.
func kindOf(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Tag == "!!null":
		return "nothing"
	case n.Tag == "!!str":
		return "text"
	case n.Tag == "!!bool":
		return "true or false"
	}
	return "a number or date"
}

// mapping returns a mapping's keys and values by key. It reports a node that is not a mapping,
// and each key that is unknown or repeated. what is a phrase for the mapping, for messages.
func (p *parser) mapping(n *yaml.Node, what string, table []key) (keys, values map[string]*yaml.Node) {
	allowed := names(table)
	keys, values = map[string]*yaml.Node{}, map[string]*yaml.Node{}
	if n.Kind != yaml.MappingNode {
		hint := "its keys are " + list(allowed)
		for _, name := range allowed {
			if strings.HasPrefix(n.Value, name+":") {
				hint = "write a space after the colon: " + name + ": …"
			}
		}
		p.fail(n, hint, "%s is %s, not a mapping", what, kindOf(n))
		return keys, values
	}
	for i := 0; i+1 < len(n.Content) && !p.over(); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if first, again := keys[key.Value]; again && key.Kind == yaml.ScalarNode {
			p.fail(key, "delete one of the two", "the key %s stands twice in %s; first at line %d, column %d", cut(key.Value), what, first.Line, first.Column)
			continue
		}
		if key.Kind != yaml.ScalarNode {
			p.fail(key, "the keys are "+list(allowed), "a key of %s is %s, not text", what, kindOf(key))
			continue
		}
		keys[key.Value] = key
		if !slices.Contains(allowed, key.Value) {
			p.fail(key, guessKey(key.Value, allowed), "unknown key %q in %s; the keys are %s", cut(key.Value), what, list(allowed))
			continue
		}
		values[key.Value] = value
	}
	return keys, values
}

// guessKey returns a hint for an unknown key.
func guessKey(name string, allowed []string) string {
	near, distance := nearest(name, allowed)
	if distance > 1 {
		for _, level := range []struct {
			of   string
			keys []key
		}{{"the policy, at the top of the file", policyKeys}, {"a rule", ruleKeys}, {"a test", testKeys}} {
			if slices.Contains(names(level.keys), name) {
				return fmt.Sprintf("%s is a key of %s", name, level.of)
			}
		}
	}
	return didYouMean(near)
}

// text returns a scalar's text. It reports a value that YAML reads as something else.
func (p *parser) text(n *yaml.Node, what string) (string, bool) {
	if n.Kind == yaml.ScalarNode && n.Tag == "!!str" {
		return n.Value, true
	}
	hint := "write one text"
	switch {
	case n.Tag == "!!null":
		hint = "give it a value or delete the key"
	case n.Kind == yaml.ScalarNode:
		hint = "quote it: " + strconv.Quote(cut(n.Value))
	case n.Style&yaml.FlowStyle != 0:
		hint = "write one text, in quotes if it begins with { or ["
	}
	p.fail(n, hint, "%s is %s, not text", what, kindOf(n))
	return "", false
}

// flag returns the value of a scalar that is true or false, and reports every other node.
func (p *parser) flag(n *yaml.Node, what string) bool {
	if n.Kind != yaml.ScalarNode || n.Tag != "!!bool" {
		p.fail(n, "write true or false", "%s is %s, neither true nor false", what, kindOf(n))
		return false
	}
	return strings.EqualFold(n.Value, "true")
}

// sequence returns a list's elements. If alone is set, a node that is not a list counts as a
// list of one.
func (p *parser) sequence(n *yaml.Node, what string, alone bool) []*yaml.Node {
	switch {
	case n.Kind == yaml.SequenceNode:
		return n.Content
	case alone:
		return []*yaml.Node{n}
	}
	p.fail(n, listHint(n, what), "%s is %s, not a list", what, kindOf(n))
	return nil
}

func listHint(n *yaml.Node, what string) string {
	switch {
	case n.Tag == "!!null":
		return "give it a value or delete the key"
	case what == "rules":
		return "begin each rule with a hyphen and a space\n- allow: https://api.example.com/v1/**"
	case what == "tests":
		return "begin each test with a hyphen and a space\n- {url: https://example.com/, expect: block}"
	case n.Kind == yaml.ScalarNode:
		return "write [" + cut(n.Value) + "]"
	}
	return "write [a, b]"
}

// inside returns the position of a byte offset of a scalar's value. The position is exact if
// the scalar is on one line. In block scalars and folded ones it is the scalar's beginning.
func (p *parser) inside(n *yaml.Node, off int) (line, col int) {
	if n.Line < 1 || n.Line > len(p.lines) {
		return n.Line, n.Column
	}
	source := p.from(n.Line, max(n.Column, 1))
	if source == "" {
		return n.Line, n.Column
	}
	col = n.Column
	if n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 {
		source, col = source[1:], col+1
	}
	for value := n.Value; value != "" && len(n.Value)-len(value) < off; {
		_, size := utf8.DecodeRuneInString(value)
		char, width := value[:size], 1 // width in characters; an escape has only ASCII characters
		switch {
		case source == "":
			return n.Line, n.Column // the value continues in the next line
		case n.Style&yaml.SingleQuotedStyle != 0 && source[0] == '\'':
			char, width = source[:min(2, len(source))], 2
		case n.Style&yaml.DoubleQuotedStyle != 0 && source[0] == '\\':
			width = escapeWidth(source)
			char = source[:min(width, len(source))]
		case !strings.HasPrefix(source, char):
			return n.Line, n.Column
		}
		source, value, col = source[len(char):], value[size:], col+width
	}
	return n.Line, col
}

// escapeWidth returns the length of an escape in a double-quoted scalar (YAML 1.2.2, section
// 5.7).
func escapeWidth(source string) int {
	if len(source) < 2 {
		return 1
	}
	switch source[1] {
	case 'x':
		return 4
	case 'u':
		return 6
	case 'U':
		return 10
	}
	return 2
}

func list[T ~string](words []T) string {
	all := make([]string, len(words))
	for i, w := range words {
		all[i] = string(w)
	}
	return strings.Join(all, ", ")
}
