package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// top reads the top mapping into the policy and returns its values.
func (p *parser) top(n *yaml.Node) map[string]*yaml.Node {
	keys, values := p.mapping(n, "the policy", policyKeys)
	switch version := values["version"]; {
	case n.Kind != yaml.MappingNode:
		return nil // reported
	case version == nil && misspelled(keys, "version", names(policyKeys)):
	case version == nil:
		p.fail(n, "begin the file with\nversion: 1", "the key version is missing")
	case version.Tag != "!!int" || version.Value != "1":
		p.fail(version, "write version: 1", "this program knows version 1 of the language only, and the file says %s", shown(version))
	}
	if n := values["default"]; n != nil {
		if text, ok := p.text(n, "default"); ok && text != "block" {
			p.fail(n, "write default: block, and allow what you need by rules", "default can only be block, not %q", cut(text))
		}
	}
	p.mode(values["mode"])
	if n := values["ceiling"]; n != nil {
		switch ceiling := p.flag(n, "ceiling"); {
		case ceiling && p.layer == 0:
			p.fail(n, "delete the key, or put it into a file that others include", "ceiling in a file that nothing includes; there is no other file's rule that it could hold down")
		default:
			p.policy.Layers[p.layer].Ceiling = ceiling
		}
	}
	if n := values["containment"]; n != nil {
		p.containment(n)
	}
	if n := values["worker"]; n != nil {
		p.worker(n)
	}
	enforce := EnforcedByWorker
	if n := values["enforce"]; n != nil {
		enforce, _ = word(p, n, "enforce", Enforcers)
	}
	if n := values["scripts"]; n != nil {
		before := p.mistakes
		all := words(p, n, "scripts", Scripts)
		if p.mistakes > before && p.policy.Layers[p.layer].Ceiling {
			all = Scripts // the author's intent is unknown, so no other file exceeds it
		}
		p.scripts(n, all)
	}
	if n := values["rules"]; n != nil {
		p.policy.Rules = append(p.policy.Rules, p.rules(n, enforce)...)
	}
	if n := values["tests"]; n != nil {
		p.policy.Tests = append(p.policy.Tests, p.tests(n)...)
	}
	return values
}

// misspelled reports whether an unknown key of a mapping may be a misspelling of name. The
// unknown key is already reported, so the missing one need not be.
func misspelled(keys map[string]*yaml.Node, name string, allowed []string) bool {
	for key := range keys {
		if near, _ := nearest(key, allowed); near == name {
			return true
		}
	}
	return false
}

// mode reads the key mode. Only the policy's own file sets it. A file that is included for its
// rules must not change whether the policy is enforced.
func (p *parser) mode(n *yaml.Node) {
	if n == nil {
		return
	}
	mode, ok := word(p, n, "mode", Modes)
	switch {
	case !ok:
	case p.layer > 0:
		p.fail(n, "write it into "+p.policy.Name, "mode in an included file; only the policy's own file says it")
	default:
		p.policy.Mode = mode
		p.modeAt = position(n)
	}
}

// containment reads the key containment. The highest demand of any file holds; no file can
// lower it.
func (p *parser) containment(n *yaml.Node) {
	level, ok := word(p, n, "containment", Containments)
	if !ok || level == ContainmentCSP {
		return
	}
	p.demanded, p.demandedAt = level, position(n)
	if slices.Index(Containments, level) > slices.Index(Containments, p.policy.Containment) {
		p.policy.Containment = level
	}
}

// worker reads the key worker. If one file requires the worker, the policy requires it. Only
// the policy's own file can say preferred.
func (p *parser) worker(n *yaml.Node) {
	need, ok := word(p, n, "worker", Workers)
	switch {
	case !ok:
	case need == WorkerRequired:
		p.workerRequired = true
	case p.layer > 0:
		p.fail(n, "write it into "+p.policy.Name, "worker: preferred in an included file; only the policy's own file says it")
	default:
		p.workerPreferred = position(n)
	}
}

// scripts notes which ways to run script a file names. Those of a ceiling are a bound and give
// nothing.
func (p *parser) scripts(n *yaml.Node, all []Script) {
	p.runs, p.runsAt = all, position(n)
	for _, s := range all {
		if !p.policy.Layers[p.layer].Ceiling && !slices.Contains(p.policy.Scripts, s) {
			p.policy.Scripts = append(p.policy.Scripts, s)
		}
	}
}

func shown(n *yaml.Node) string {
	switch {
	case n.Kind != yaml.ScalarNode || n.Tag == "!!null":
		return kindOf(n)
	case n.Tag == "!!str":
		return fmt.Sprintf("the text %q", cut(n.Value))
	}
	return cut(n.Value)
}

// rules reads the list of rules and returns the valid ones. enforce is the default for rules
// without the key enforce.
func (p *parser) rules(n *yaml.Node, enforce Enforcer) []Rule {
	var all []Rule
	for i, element := range p.sequence(n, "rules", false) {
		if p.over() {
			break
		}
		what := fmt.Sprintf("rule %d", i+1)
		keys, values := p.mapping(element, what, ruleKeys)
		if element.Kind != yaml.MappingNode {
			continue
		}
		before := p.mistakes
		rule := Rule{ID: p.unnamed(i + 1), Layer: p.layer, Enforce: enforce, Pos: position(element)}
		id := values["id"]
		switch {
		case id == nil:
			p.named(rule.ID, element, "a rule without an id is named by its place; give one of the two another id")
		default:
			if text, ok := p.text(id, "id"); ok && p.checkID(id, text) {
				rule.ID = text
				p.named(text, id, "ids are unique in all files of the policy")
			}
		}
		p.rule(&rule, element, keys, values)
		if p.mistakes == before {
			all = append(all, rule)
		}
	}
	return all
}

// named records the id of a rule, and reports an id that is already in use.
func (p *parser) named(id string, at *yaml.Node, hint string) {
	if first, again := p.ids[id]; again {
		p.fail(at, hint, "the id %s is already that of the rule at %s", id, first)
		return
	}
	p.ids[id] = p.file + fmt.Sprintf(":%d:%d", at.Line, at.Column)
}

// unnamed returns the id of the Nth rule of the file if the rule has none. In an included
// file, the file's name comes before it, without characters that are illegal in an id.
func (p *parser) unnamed(n int) string {
	if p.layer == 0 {
		return fmt.Sprintf("rule-%d", n)
	}
	base, _, _ := strings.Cut(path.Base(p.file), ".")
	legal := func(r rune) rune {
		if strings.ContainsRune(idFirst+idMore, r) {
			return r
		}
		return -1
	}
	return fmt.Sprintf("%.40s.rule-%d", strings.Map(legal, strings.ToLower(base)), n)
}

// rule reads all keys of a rule except id.
func (p *parser) rule(rule *Rule, n *yaml.Node, keys, values map[string]*yaml.Node) {
	switch {
	case keys["allow"] != nil && keys["block"] != nil:
		p.fail(keys["block"], "write two rules", "the rule has both allow and block")
		p.patterns(values["allow"], "allow")
		p.patterns(values["block"], "block")
	case keys["allow"] != nil:
		rule.Action = Allow
		rule.Patterns = p.patterns(values["allow"], "allow")
	case keys["block"] != nil:
		rule.Patterns = p.patterns(values["block"], "block")
	case len(keys) > len(values):
		// The rule has an unknown key, already reported, which may be a misspelling of allow
		// or block.
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
		if len(rule.Reason) > maxReason {
			p.fail(n, "it is shown with every verdict; say it shorter", "the reason has %d bytes; %d are allowed", len(rule.Reason), maxReason)
		}
	}
	if n := values["enforce"]; n != nil {
		rule.Enforce, _ = word(p, n, "enforce", Enforcers)
	}
}

const maxReason = 512 // bytes

func (p *parser) notEmpty(n *yaml.Node, what string) {
	if n.Kind == yaml.SequenceNode && len(n.Content) == 0 {
		p.fail(n, "name at least one, or delete the key", "%s is an empty list, so the rule could never match", what)
	}
}

// checkID accepts ids that can appear unescaped in logs and URLs.
func (p *parser) checkID(n *yaml.Node, id string) bool {
	line, col := p.inside(n, 0)
	hint := "an id has up to 64 lower-case letters, digits, hyphens, underscores and dots, and begins with a letter or digit"
	switch wrong := strings.TrimLeft(id, idFirst+idMore); {
	case id == "":
		p.fail(n, hint, "the id is empty")
	case !strings.Contains(idFirst, id[:1]):
		first, _ := utf8.DecodeRuneInString(id)
		p.report(line, col, hint, "the id %q begins with %q", cut(id), first)
	case wrong != "":
		line, col = p.inside(n, len(id)-len(wrong))
		first, _ := utf8.DecodeRuneInString(wrong)
		p.report(line, col, hint, "the character %q in the id %q", first, cut(id))
	case len(id) > longestID:
		line, col = p.inside(n, longestID)
		p.report(line, col, hint, "the id has %d characters; %d are allowed", len(id), longestID)
	default:
		return true
	}
	return false
}

const idFirst, idMore = "abcdefghijklmnopqrstuvwxyz0123456789", "-_."

// patterns reads the value of allow, block or except.
func (p *parser) patterns(n *yaml.Node, what string) []Pattern {
	p.notEmpty(n, what)
	of := what
	if n.Kind == yaml.SequenceNode {
		of = "a pattern of " + what
	}
	var all []Pattern
	for _, element := range p.sequence(n, what, true) {
		if p.over() {
			break
		}
		text, ok := p.text(element, of)
		if !ok {
			continue
		}
		if p.targets > maxTargets {
			break // already reported
		}
		line, col := p.inside(element, 0)
		if p.targets += alternativesIn(text); p.targets > maxTargets {
			p.report(line, col, "write fewer braces, or *. in place of long lists", "the patterns up to here make more than %d alternatives, the most that a policy may have", maxTargets)
			break
		}
		targets, err := compilePattern(text)
		if err != nil {
			line, col := p.inside(element, err.off)
			p.report(line, col, err.hint, "%s", err.msg)
			continue
		}
		all = append(all, Pattern{Source: text, Pos: Pos{Line: line, Col: col}, Targets: targets})
	}
	return all
}
