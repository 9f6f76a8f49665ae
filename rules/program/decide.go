package program

import (
	"fmt"
	"math"
	"slices"

	"github.com/bellglass/bellglass/rules/rule"
)

// The reasons of verdicts whose rule has none, and of verdicts without a rule. The worker
// gives the same reasons.
const (
	reasonNoProgram = "there is no policy, so everything is blocked"
	reasonType      = "no rule can allow this type of request"
	reasonBlocks    = "a rule blocks it"
	reasonAllows    = "a rule allows it"
	reasonCeiling   = "a rule allows it, but an included file that sets a ceiling does not"
	reasonPrivate   = "a private or loopback address, and no rule names it"
	reasonAudit     = "no rule allows it; the policy only audits and lets it pass"
	reasonDefault   = "no rule allows it"
)

// Decide judges a request. sw/src/decide.ts is the same function on the same bytes.
//
// The order of rules never matters. A matching block rule wins, unless one of its own
// exceptions matches. Otherwise a matching allow rule wins, if every layer that sets a ceiling
// also has a matching one. Otherwise the request is blocked. If several rules would decide
// alike, the verdict names the first. A request that cannot be judged for certain is blocked,
// and no rule can change that.
//
// The time is linear in the length of the URL. Decide allocates nothing for a URL that a
// browser has written in the usual form.
func (p *Program) Decide(r rule.Request) (v rule.Verdict) {
	s := search{program: p, block: none, allow: none}
	if !p.prepare(&r, &v, &s) {
		return v
	}
	s.run()
	switch {
	case s.block != none:
		p.ruled(&v, s.block, rule.CodeRule, reasonBlocks)
	case s.allow != none && s.allowing&p.ceilings != p.ceilings:
		p.ruled(&v, s.allow, rule.CodeCeiling, reasonCeiling)
	case s.allow != none:
		p.ruled(&v, s.allow, rule.CodeRule, reasonAllows)
		v.Action = rule.Allow
	case rule.Private(s.url.Host):
		v.Code, v.Reason = rule.CodePrivateAddress, reasonPrivate
	case p.audit && rule.Audited(r.Type):
		v.Action, v.Code, v.Reason = rule.Allow, rule.CodeAudit, reasonAudit
	default:
		v.Code, v.Reason = rule.CodeDefault, reasonDefault
	}
	return v
}

// prepare reads the request. If it returns false, the verdict is final.
func (p *Program) prepare(r *rule.Request, v *rule.Verdict, s *search) bool {
	v.URL = r.URL
	if p == nil || p.words == nil {
		v.Code, v.Reason = rule.CodeNoProgram, reasonNoProgram
		return false
	}
	v.File = p.file
	if err := rule.Locate(r.URL, p.base, &s.url); err != nil {
		v.Code, v.Reason = rule.CodeOf(err), err.Error()
		return false
	}
	v.URL = s.url.Text
	s.method, s.kind = rule.MethodBit(r.Method), rule.TypeBit(r.Type)
	if s.kind == 0 {
		v.Code, v.Reason = rule.CodeUnsupportedType, reasonType
		return false
	}
	if (s.url.Scheme >= rule.FirstSocket) != (s.kind == rule.SocketBit) {
		v.Code, v.Reason = rule.CodeUnsupportedType, fmt.Sprintf("a %s request cannot have the scheme %s", r.Type, rule.Schemes[s.url.Scheme])
		return false
	}
	return true
}

// ruled writes the rule into the verdict. It uses reason if the rule has none.
func (p *Program) ruled(v *rule.Verdict, number int, code rule.Code, reason string) {
	r := p.rule(number)
	v.Code, v.Rule, v.Reason, v.File, v.Line = code, r.id, r.reason, r.file, r.line
	if v.Reason == "" || code == rule.CodeCeiling {
		v.Reason = reason
	}
}

// A Match is a rule that speaks of a request.
type Match struct {
	// Action is the rule's.
	Action rule.Action `json:"action"`
	// Rule is the rule's ID.
	Rule string `json:"rule"`
	// File is the policy file with the rule.
	File string `json:"file"`
	// Line is where the rule is in the file.
	Line int `json:"line"`
}

// Matches returns every rule that matches the request, in the order of the policy.
// [Program.Decide] chooses among these rules.
func (p *Program) Matches(r rule.Request) []Match {
	s := search{program: p, block: none, allow: none, all: map[int]rule.Action{}}
	if !p.prepare(&r, &rule.Verdict{}, &s) {
		return nil
	}
	s.run()
	var numbers []int
	for number := range s.all {
		numbers = append(numbers, number)
	}
	slices.Sort(numbers)
	var matches []Match
	for _, number := range numbers {
		r := p.rule(number)
		matches = append(matches, Match{s.all[number], r.id, r.file, r.line})
	}
	return matches
}

// none is a rule number greater than every other.
const none = math.MaxInt
