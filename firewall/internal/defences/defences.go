// Package defences holds the list of the firewall's defences, and the switch that
// takes one away. It is internal to firewall, so that the only other package that
// can take any away is firewall/firewalltest.
package defences

// A Defence is one thing that stands between page code and what is outside. What
// it is for is said where it is, and shown by the tests that take it away.
type Defence uint16

// The defences. Each header is one, on every response that has it.
const (
	ContentSecurityPolicy Defence = 1 << iota
	ConnectionAllowlist
	DNSPrefetchControl
	CrossOriginOpenerPolicy
	CrossOriginResourcePolicy
	PermissionsPolicy
	ReferrerPolicy
	ContentTypeOptions
	OriginAgentCluster
	// FrameSource is the outer frame's frame-src, which names one sandbox only.
	FrameSource
	// Sandbox is the sandbox attribute of the view's iframe, and the directive of
	// the same name in its policy.
	Sandbox
	// WorkerGuard refuses every service worker but ours.
	WorkerGuard
	// WorkerDecision is our worker's decision on requests to other origins.
	WorkerDecision
	// AnswerHeaders is what our worker leaves of the headers of an allowed host's answer.
	AnswerHeaders
	// Alone refuses a document of the sandbox in a tab of its own.
	Alone
	// CookieClearing takes away what cookies sandboxes leave each other.
	CookieClearing

	all = 1<<iota - 1
)

var names = map[Defence]string{
	ContentSecurityPolicy: "Content-Security-Policy", ConnectionAllowlist: "Connection-Allowlist",
	DNSPrefetchControl: "X-DNS-Prefetch-Control", CrossOriginOpenerPolicy: "Cross-Origin-Opener-Policy",
	CrossOriginResourcePolicy: "Cross-Origin-Resource-Policy", PermissionsPolicy: "Permissions-Policy",
	ReferrerPolicy: "Referrer-Policy", ContentTypeOptions: "X-Content-Type-Options", OriginAgentCluster: "Origin-Agent-Cluster",
	FrameSource: "frame-src", Sandbox: "sandbox", WorkerGuard: "worker guard", WorkerDecision: "worker decision", AnswerHeaders: "answer headers", Alone: "alone",
	CookieClearing: "Clear-Site-Data",
}

// String returns the name by which people know it.
func (d Defence) String() string { return names[d] }

// All lists the defences.
func All() []Defence {
	var list []Defence
	for d := Defence(1); d&all != 0; d <<= 1 {
		list = append(list, d)
	}
	return list
}

// Set says which defences are in force. Its zero value is all of them.
type Set struct{ missing Defence }

// None is the set without any defence.
func None() Set { return Set{all} }

// Without is the set of all defences but these.
func Without(taken ...Defence) Set {
	var s Set
	for _, d := range taken {
		s.missing |= d
	}
	return s
}

// Has reports whether a defence is in force.
func (s Set) Has(d Defence) bool { return s.missing&d == 0 }
