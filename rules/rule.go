package rules

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"
)

// policy reads the top mapping.
func (p *parser) policy(n *yaml.Node) *Policy {
	policy := &Policy{}
	_, values := p.mapping(n, "the policy", policyKeys)
	switch version := values["version"]; {
	case n.Kind != yaml.MappingNode:
		return nil // reported
	case version == nil:
		p.fail(n, "begin the file with\nversion: 1", "the key version is missing")
	case version.Tag != "!!int" || version.Value != "1":
		p.fail(version, "write version: 1", "this program knows version 1 of the language only, and the file says %s", shown(version))
	}
	if n := values["default"]; n != nil {
		if text, ok := p.text(n, "default"); ok && text != "block" {
			p.fail(n, "write default: block, and allow what you need by rules", "default can only be block, not %q", text)
		}
	}
	if n := values["scripts"]; n != nil {
		policy.Scripts = words(p, n, "scripts", Scripts)
	}
	if n := values["rules"]; n != nil {
		policy.Rules = p.rules(n)
	}
	return policy
}

func shown(n *yaml.Node) string {
	switch {
	case n.Kind != yaml.ScalarNode || n.Tag == "!!null":
		return kindOf(n)
	case n.Tag == "!!str":
		return fmt.Sprintf("the text %q", n.Value)
	}
	return n.Value
}

func (p *parser) rules(n *yaml.Node) []Rule {
	var all []Rule
	seen := map[string]*yaml.Node{}
	for i, element := range p.sequence(n, "rules", false) {
		what := fmt.Sprintf("rule %d", i+1)
		keys, values := p.mapping(element, what, ruleKeys)
		if element.Kind != yaml.MappingNode {
			continue
		}
		before := len(p.errs)
		rule := Rule{ID: fmt.Sprintf("rule-%d", i+1), Pos: Pos{element.Line, element.Column}}
		at := element
		if id := values["id"]; id != nil {
			at = id
			if text, ok := p.text(id, "id"); ok && p.checkID(id, text) {
				rule.ID = text
			}
		}
		if first := seen[rule.ID]; first != nil {
			p.fail(at, "ids are unique; a rule without one is named rule-N, by its place", "the id %s is already that of the rule at line %d, column %d", rule.ID, first.Line, first.Column)
		} else {
			seen[rule.ID] = at
		}
		p.rule(&rule, element, keys, values)
		if len(p.errs) == before {
			p.checkBrowserAlone(&rule, element)
		}
		if len(p.errs) == before {
			all = append(all, rule)
		}
	}
	p.checkBlocks(all)
	return all
}

// rule reads what a rule states besides its id.
func (p *parser) rule(rule *Rule, n *yaml.Node, keys, values map[string]*yaml.Node) {
	switch {
	case keys["allow"] != nil && keys["block"] != nil:
		p.fail(keys["block"], "write two rules", "the rule has both allow and block")
	case keys["allow"] != nil:
		rule.Action = Allow
		rule.Patterns = p.patterns(values["allow"], "allow")
	case keys["block"] != nil:
		rule.Patterns = p.patterns(values["block"], "block")
	case len(keys) > len(values):
		// An unknown key, which is reported, may have been meant for one of them.
	default:
		p.fail(n, "add one of them, for instance\nallow: https://api.example.com/v1/**", "the rule has neither allow nor block")
	}
	if except := values["except"]; except != nil {
		if keys["block"] == nil {
			p.fail(keys["except"], "what an allow rule does not name is blocked already; to cut a hole into it, write a block rule", "except stands in a rule that does not block")
		}
		rule.Except = p.patterns(except, "except")
	}
	if n := values["methods"]; n != nil {
		rule.Methods = words(p, n, "methods", Methods)
		p.notEmpty(n, "methods")
	}
	if n := values["types"]; n != nil {
		rule.Types = words(p, n, "types", Types)
		p.notEmpty(n, "types")
	}
	if n := values["reason"]; n != nil {
		rule.Reason, _ = p.text(n, "reason")
	}
}

func (p *parser) notEmpty(n *yaml.Node, what string) {
	if n.Kind == yaml.SequenceNode && len(n.Content) == 0 {
		p.fail(n, "name at least one, or delete the key", "%s is an empty list, so the rule could never match", what)
	}
}

// checkID accepts what can stand in logs and URLs as it is.
func (p *parser) checkID(n *yaml.Node, id string) bool {
	const first, more, longest = "abcdefghijklmnopqrstuvwxyz0123456789", "-_.", 64
	line, col := p.inside(n, 0)
	hint := "an id has up to 64 lower-case letters, digits, hyphens, underscores and dots, and begins with a letter or digit"
	switch wrong := strings.TrimLeft(id, first+more); {
	case id == "":
		p.fail(n, hint, "the id is empty")
	case !strings.Contains(first, id[:1]):
		p.report(line, col, hint, "the id %q begins with %q", id, id[:1])
	case wrong != "":
		line, col = p.inside(n, len(id)-len(wrong))
		p.report(line, col, hint, "the character %q in the id %q", []rune(wrong)[0], id)
	case len(id) > longest:
		line, col = p.inside(n, longest)
		p.report(line, col, hint, "the id has %d characters; %d are allowed", len(id), longest)
	default:
		return true
	}
	return false
}

// patterns reads the value of allow, block or except.
func (p *parser) patterns(n *yaml.Node, what string) []Pattern {
	p.notEmpty(n, what)
	var all []Pattern
	for _, element := range p.sequence(n, what, true) {
		text, ok := p.text(element, "a pattern of "+what)
		if !ok {
			continue
		}
		targets, err := compilePattern(text)
		if err != nil {
			line, col := p.inside(element, err.off)
			p.report(line, col, err.hint, "%s", err.msg)
			continue
		}
		line, col := p.inside(element, 0)
		all = append(all, Pattern{Source: text, Pos: Pos{line, col}, Targets: targets})
	}
	return all
}
