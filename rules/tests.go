package rules

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"
)

// tests reads the list of tests. They run when all rules are known.
func (p *parser) tests(n *yaml.Node) []Test {
	var all []Test
	for i, element := range p.sequence(n, "tests", false) {
		before := len(p.errs)
		_, values := p.mapping(element, fmt.Sprintf("test %d", i+1), testKeys)
		if element.Kind != yaml.MappingNode {
			continue
		}
		test := Test{Layer: p.layer, Pos: Pos{element.Line, element.Column}, Request: Request{Method: "GET", Type: TypeFetch}}
		for _, needed := range []string{"url", "expect"} {
			if values[needed] == nil && len(p.errs) == before {
				p.fail(element, "a test is {url: https://example.com/, expect: block}", "the test has no %s", needed)
			}
		}
		if n := values["url"]; n != nil {
			test.Request.URL, _ = p.text(n, "url")
			if scheme, _, _ := strings.Cut(test.Request.URL, ":"); scheme == "ws" || scheme == "wss" {
				test.Request.Type = TypeWebSocket
			}
		}
		if n := values["method"]; n != nil {
			test.Request.Method, _ = word(p, n, "method", Methods)
		}
		if n := values["type"]; n != nil {
			test.Request.Type, _ = word(p, n, "type", Types)
		}
		if n := values["expect"]; n != nil {
			text, _ := word(p, n, "expect", []string{"allow", "block"})
			if text == "allow" {
				test.Expect = Allow
			}
		}
		if n := values["rule"]; n != nil {
			if test.Rule, _ = p.text(n, "rule"); test.Rule == "" {
				p.fail(n, "name a rule, or delete the key", "rule names none")
			}
		}
		if len(p.errs) == before {
			all = append(all, test)
		}
	}
	return all
}

// runTests reports each test that does not come out as expected. Those of an
// included file hold for every policy that includes it.
func (p *Policy) runTests(l *loader) {
	for _, test := range p.Tests {
		v := p.program.Decide(test.Request)
		if test.Rule != "" && l.ids[test.Rule] == "" {
			l.at(test.Layer, test.Pos, guess(test.Rule, p.ruleIDs()), "the test expects the rule %s, and there is none", test.Rule)
			continue
		}
		got := fmt.Sprintf("%s %s, %s", test.Request.Method, test.Request.URL, decided(v))
		switch {
		case v.Action != test.Expect:
			l.at(test.Layer, test.Pos, "change the rules or the test; a policy whose test fails is refused",
				"the test expects %s, but %s", test.Expect, got)
		case test.Rule != "" && v.Rule != test.Rule:
			l.at(test.Layer, test.Pos, "change the rules or the test; a policy whose test fails is refused",
				"the test expects the rule %s to decide, but %s", test.Rule, got)
		}
	}
}

// decided says in words what decided.
func decided(v Verdict) string {
	if v.Rule != "" {
		return fmt.Sprintf("%s: by the rule %s (%s:%d)", v.Action, v.Rule, v.File, v.Line)
	}
	return fmt.Sprintf("%s: %s", v.Action, v.Reason)
}

func (p *Policy) ruleIDs() []string {
	all := make([]string, len(p.Rules))
	for i := range p.Rules {
		all[i] = p.Rules[i].ID
	}
	return all
}
