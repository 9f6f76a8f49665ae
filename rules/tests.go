package rules

import (
	"cmp"
	"context"
	"fmt"

	"go.yaml.in/yaml/v4"

	"github.com/bellglass/bellglass/rules/rule"
)

// tests reads the list of tests. They run after all rules are known.
func (p *parser) tests(n *yaml.Node) []Test {
	var all []Test
	for i, element := range p.sequence(n, "tests", false) {
		if p.over() {
			break
		}
		before := p.mistakes
		_, values := p.mapping(element, fmt.Sprintf("test %d", i+1), testKeys)
		if element.Kind != yaml.MappingNode {
			continue
		}
		test := Test{Layer: p.layer, Pos: position(element), Request: Request{Method: "GET", Type: TypeFetch}}
		for _, needed := range []string{"url", "expect"} {
			if values[needed] == nil && p.mistakes == before {
				p.fail(element, "a test is {url: https://example.com/, expect: block}", "the test has no %s", needed)
			}
		}
		if n := values["url"]; n != nil {
			test.Request.URL, _ = p.text(n, "url")
			test.Request.Type = DefaultType(test.Request.URL)
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
			text, ok := p.text(n, "rule")
			if test.Rule = text; ok && text == "" {
				p.fail(n, "name a rule, or delete the key", "rule names none")
			}
		}
		if p.mistakes == before {
			all = append(all, test)
		}
	}
	return all
}

// A TestResult is the result of one test.
type TestResult struct {
	Test
	// File is the file that contains the test.
	File    string
	Verdict Verdict
	// Failure says how the verdict differs from what the test expects, or is nil. It has no
	// source line.
	Failure *Error
}

// RunTests reads a policy as [Load] does and returns the result of each of its tests, even if
// some of them fail. The error reports every other mistake, as Load does.
func RunTests(name string, open func(name string) ([]byte, error)) ([]TestResult, error) {
	src, err := open(name)
	if err != nil {
		return nil, fmt.Errorf("cannot read the policy: %w", err)
	}
	p := &Policy{Policy: rule.Policy{Name: name, Mode: ModeEnforce}}
	l := &loader{ctx: context.Background(), open: open, policy: p, ids: map[string]string{}}
	l.read(name, src, nil)
	p.check(l)
	if len(l.errs) == 0 {
		tests := p.Tests
		p.Tests = nil // compile must not reject the policy because of them
		p.compile(l)
		p.Tests = tests
	}
	if len(l.errs) > 0 {
		l.errs.sort(p.Layers)
		return nil, l.errs
	}
	return p.testResults(l), nil
}

// runTests reports each failing test. The tests of an included file hold for every policy that
// includes it.
func (p *Policy) runTests(l *loader) {
	for _, r := range p.testResults(l) {
		if r.Failure != nil {
			l.at(r.Layer, r.Pos, r.Failure.Hint, "%s", r.Failure.Msg)
		}
	}
}

func (p *Policy) testResults(l *loader) []TestResult {
	if len(p.Tests) == 0 {
		return nil
	}
	ids := map[string]bool{}
	for i := range p.Rules {
		ids[p.Rules[i].ID] = true
	}
	known := p.ruleIDs()
	guesses := maxGuesses
	all := make([]TestResult, len(p.Tests))
	for i, test := range p.Tests {
		if l.over() {
			return nil
		}
		r := TestResult{Test: test, File: p.Layers[test.Layer].File, Verdict: p.program.Decide(test.Request)}
		const hint = "change the rules or the test; a policy whose test fails is refused"
		fail := func(hint, format string, args ...any) {
			r.Failure = &Error{File: r.File, Line: test.Pos.Line, Col: test.Pos.Col, Msg: fmt.Sprintf(format, args...), Hint: hint}
		}
		got := fmt.Sprintf("%s %s, %s", test.Request.Method, cut(test.Request.URL), decided(r.Verdict))
		switch {
		case test.Rule != "" && !ids[test.Rule]:
			near := ""
			if guesses -= len(known); guesses >= 0 {
				near = Guess(test.Rule, known)
			}
			fail(cmp.Or(near, "write the id of a rule, or delete the key"), "the test expects the rule %s, and there is none", cut(test.Rule))
		case r.Verdict.Action != test.Expect:
			fail(hint, "the test expects %s, but %s", test.Expect, got)
		case test.Rule != "" && r.Verdict.Rule != test.Rule:
			fail(hint, "the test expects the rule %s to decide, but %s", test.Rule, got)
		}
		all[i] = r
	}
	return all
}

// maxGuesses is the largest number of ids that are compared with the rules named by failing
// tests, over all tests, to suggest the id that was meant. With many rules and many tests
// there are too many pairs.
const maxGuesses = 200_000

// decided returns a phrase for what decided.
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
