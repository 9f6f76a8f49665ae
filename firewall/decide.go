package firewall

import (
	"fmt"
	"slices"

	"github.com/bellglass/bellglass/rules"
)

// A Request is what is known of a request before it leaves.
type Request struct {
	// Method as the browser sends it: upper case but for unusual methods.
	Method string
	// URL is absolute. [CanonicalURL] says what becomes of it.
	URL  string
	Type rules.Type
}

// A Verdict is the answer to a request. The zero Verdict blocks.
type Verdict struct {
	Action rules.Action
	// Rule is the id of the rule that decided, or "".
	Rule string
	Code Code
	// Reason is for people. It is the rule's own if it states one.
	Reason string
	// URL is the canonical URL, or the request's own if there is none.
	URL string
	// File and Line say where the rule stands; the file alone if none decided.
	File string
	Line int
}

// A Code says in one word why a verdict fell.
type Code string

// The codes. All but CodeRule block, and only CodeRule comes with a rule.
const (
	// CodeRule: the rule that the verdict names decided.
	CodeRule Code = "rule"
	// CodeDefault: no rule matches.
	CodeDefault Code = "default"
	// CodePrivateAddress: no rule matches, and the host is a literal private,
	// loopback or link-local address.
	CodePrivateAddress Code = "private-address"
	// CodeNoncanonical: the URL can be read in different ways.
	CodeNoncanonical Code = "noncanonical"
	// CodeTooLong: the URL is longer than 8 KiB.
	CodeTooLong Code = "too-long"
	// CodeUnsupportedScheme: no pattern can have the URL's scheme.
	CodeUnsupportedScheme Code = "unsupported-scheme"
	// CodeUnsupportedType: no rule can name this type of request, or not for a
	// URL of this scheme.
	CodeUnsupportedType Code = "unsupported-type"
	// CodeNoProgram: there is no program that this version can read.
	CodeNoProgram Code = "no-program"
)

// Codes lists all codes.
var Codes = []Code{
	CodeRule, CodeDefault, CodePrivateAddress, CodeNoncanonical, CodeTooLong, CodeUnsupportedScheme, CodeUnsupportedType, CodeNoProgram,
}

// A Firewall judges by one policy. The zero Firewall blocks all. It is
// immutable, so any number of goroutines can use it.
type Firewall struct {
	policy  *rules.Policy
	program rules.Program
}

// New returns the firewall of a policy, which must not be changed afterwards.
// A nil or zero policy blocks all.
func New(p *rules.Policy) *Firewall {
	if p == nil {
		p = &rules.Policy{}
	}
	return &Firewall{policy: p, program: p.Program()}
}

// Policy returns the firewall's policy, never nil.
func (f *Firewall) Policy() *rules.Policy {
	if f == nil || f.policy == nil {
		return &rules.Policy{}
	}
	return f.policy
}

// Decide judges a request, by the very program that the service worker has.
//
// The order of rules never matters: a matching block rule wins, unless one of
// its own exceptions matches; then a matching allow rule; then everything is
// blocked. Of several rules that would decide alike, the verdict names the
// first of the file. What cannot be judged for certain is blocked, and no rule
// can change that.
func (f *Firewall) Decide(r Request) Verdict {
	verdict := Verdict{Action: rules.Block, URL: r.URL, File: f.Policy().Name}
	if f == nil || f.program.Version != rules.ProgramVersion {
		verdict.Code, verdict.Reason = CodeNoProgram, "there is no policy, so everything is blocked"
		return verdict
	}
	u, err := parseURL(r.URL)
	if err != nil {
		verdict.Code, verdict.Reason = codeOf(err), err.Error()
		return verdict
	}
	verdict.URL = u.text
	if !slices.Contains(rules.Types, r.Type) {
		verdict.Code, verdict.Reason = CodeUnsupportedType, "no rule can allow this type of request"
		return verdict
	}
	if (u.scheme == "ws" || u.scheme == "wss") != (r.Type == rules.TypeWebSocket) {
		verdict.Code, verdict.Reason = CodeUnsupportedType, fmt.Sprintf("a %s request cannot have the scheme %s", r.Type, u.scheme)
		return verdict
	}
	rule := winner(f.program.Rules, r, &u)
	switch {
	case rule != nil:
		verdict.Action, verdict.Code, verdict.Rule = rule.Action, CodeRule, rule.ID
		verdict.Line, verdict.Reason = rule.Line, rule.Reason
		if verdict.Reason == "" {
			verdict.Reason = fmt.Sprintf("rule %s %ss it", rule.ID, rule.Action)
		}
	case private(u.host):
		verdict.Code, verdict.Reason = CodePrivateAddress, "a private or loopback address, and no rule names it"
	default:
		verdict.Code, verdict.Reason = CodeDefault, "no rule allows it"
	}
	return verdict
}

// winner returns the rule that decides, or nil.
func winner(all []rules.ProgramRule, r Request, u *target) *rules.ProgramRule {
	var allow *rules.ProgramRule
	for i := range all {
		rule := &all[i]
		if rule.Action == rules.Allow && allow != nil || !states(rule, r) {
			continue
		}
		switch {
		case rule.Action == rules.Allow && opens(rule.Targets, u):
			allow = rule
		case rule.Action == rules.Block && covers(rule.Targets, u) && !opens(rule.Except, u):
			return rule
		}
	}
	return allow
}

// states reports whether all that the rule says besides its patterns matches.
func states(rule *rules.ProgramRule, r Request) bool {
	return slices.Contains(rule.Types, r.Type) && (len(rule.Methods) == 0 || slices.Contains(rule.Methods, r.Method))
}

func covers(targets []rules.Target, u *target) bool {
	for i := range targets {
		if targets[i].Match(u.scheme, u.host, u.port, u.path) {
			return true
		}
	}
	return false
}

// opens is covers for what lets a request out. There a star stands for no
// internationalised label, because browsers differ in how they spell these; in
// a block it does.
func opens(targets []rules.Target, u *target) bool {
	for i := range targets {
		if targets[i].Match(u.scheme, u.host, u.port, u.path) && targets[i].NamesIDN(u.host) {
			return true
		}
	}
	return false
}
