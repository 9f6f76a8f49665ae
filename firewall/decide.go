package firewall

import "github.com/bellglass/bellglass/rules"

// The types of a decision are those of package rules.
type (
	Request = rules.Request
	Verdict = rules.Verdict
)

// A Firewall decides by one policy. The zero Firewall blocks everything. It is immutable, so
// any number of goroutines can use it.
type Firewall struct{ policy *rules.Policy }

// New returns the firewall of a policy, which must not be changed afterwards. With a nil or
// zero policy the firewall blocks everything.
func New(p *rules.Policy) *Firewall {
	if p == nil {
		p = &rules.Policy{}
	}
	return &Firewall{policy: p}
}

// Policy returns the firewall's policy, never nil.
func (f *Firewall) Policy() *rules.Policy {
	if f == nil || f.policy == nil {
		return &rules.Policy{}
	}
	return f.policy
}

// Decide judges a request with the same program that the service worker has: see
// [rules.Program.Decide].
func (f *Firewall) Decide(r Request) Verdict { return f.Policy().Program().Decide(r) }
