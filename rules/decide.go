package rules

import (
	"fmt"
	"math"
	"slices"
)

// Decide judges a request. sw/src/decide.ts is the same function on the same
// bytes.
//
// The order of rules never matters: a matching block rule wins, unless one of
// its own exceptions matches; then a matching allow rule, if every layer that
// sets a ceiling has one that matches as well; then everything is blocked. Of
// several rules that would decide alike, the verdict names the first. What
// cannot be judged for certain is blocked, and no rule can change that.
//
// Its time is linear in the URL, and it allocates nothing for a URL that a
// browser has written in its usual form.
func (p *Program) Decide(r Request) (v Verdict) {
	s := search{program: p, block: none, allow: none}
	if !p.prepare(&r, &v, &s) {
		return v
	}
	s.run()
	switch {
	case s.block != none:
		p.ruled(&v, s.block, CodeRule, "a rule blocks it")
	case s.allow != none && s.allowing&p.ceilings != p.ceilings:
		p.ruled(&v, s.allow, CodeCeiling, "a rule allows it, but an included file that sets a ceiling does not")
	case s.allow != none:
		p.ruled(&v, s.allow, CodeRule, "a rule allows it")
		v.Action = Allow
	case private(s.url.host):
		v.Code, v.Reason = CodePrivateAddress, "a private or loopback address, and no rule names it"
	case p.audit && audited(r.Type):
		v.Action, v.Code, v.Reason = Allow, CodeAudit, "no rule allows it; the policy only audits and lets it pass"
	default:
		v.Code, v.Reason = CodeDefault, "no rule allows it"
	}
	return v
}

// prepare reads the request. If it returns false, the verdict is final.
func (p *Program) prepare(r *Request, v *Verdict, s *search) bool {
	v.URL = r.URL
	if p == nil || p.words == nil {
		v.Code, v.Reason = CodeNoProgram, "there is no policy, so everything is blocked"
		return false
	}
	v.File = p.file
	if err := parseURL(r.URL, p.base, &s.url); err != nil {
		v.Code, v.Reason = codeOf(err), err.Error()
		return false
	}
	v.URL = s.url.text
	s.method, s.kind = methodBit(r.Method), typeBit(r.Type)
	if s.kind == 0 {
		v.Code, v.Reason = CodeUnsupportedType, "no rule can allow this type of request"
		return false
	}
	if (s.url.scheme >= firstSocket) != (s.kind == socketBit) {
		v.Code, v.Reason = CodeUnsupportedType, fmt.Sprintf("a %s request cannot have the scheme %s", r.Type, schemes[s.url.scheme])
		return false
	}
	return true
}

// ruled writes the rule into the verdict, with other words if it has no reason.
func (p *Program) ruled(v *Verdict, number int, code Code, reason string) {
	rule := p.rule(number)
	v.Code, v.Rule, v.Reason, v.File, v.Line = code, rule.id, rule.reason, rule.file, rule.line
	if v.Reason == "" || code == CodeCeiling {
		v.Reason = reason
	}
}

// A Match is a rule that speaks of a request.
type Match struct {
	// Action is the rule's.
	Action Action `json:"action"`
	// Rule is the rule's ID.
	Rule string `json:"rule"`
	// File is the policy file with the rule.
	File string `json:"file"`
	// Line is where the rule is in the file.
	Line int `json:"line"`
}

// Matches returns every rule that matches the request, in the order of the
// policy: what [Program.Decide] chose from.
func (p *Program) Matches(r Request) []Match {
	s := search{program: p, block: none, allow: none, all: map[int]Action{}}
	if !p.prepare(&r, &Verdict{}, &s) {
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
		rule := p.rule(number)
		matches = append(matches, Match{s.all[number], rule.id, rule.file, rule.line})
	}
	return matches
}

// none is a rule number after every other.
const none = math.MaxInt

// methodBit and typeBit are the bits of a target's masks, in the order of
// [Methods] and [Types]. Every method that no rule can name shares one bit.
func methodBit(method string) uint32 {
	if method == "GET" { // nearly always
		return 1
	}
	if i := slices.Index(Methods, method); i >= 0 {
		return 1 << i
	}
	return 1 << len(Methods)
}

func typeBit(t Type) uint32 {
	if t == TypeFetch {
		return 1
	}
	for i, known := range Types {
		if t == known {
			return 1 << i
		}
	}
	return 0
}

// socketBit is that of a WebSocket, which is the last type.
const socketBit = 1 << 8

// audited reports whether a policy that only audits lets requests of the type
// pass: those that the worker sees and logs.
func audited(t Type) bool { return t != TypeFrame && t != TypeWebSocket }
