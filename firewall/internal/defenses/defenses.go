// Package defenses has the list of the firewall's defenses, and the switch that removes one.
// It is internal to firewall, so firewall/firewalltest is the only other package that can
// remove any.
package defenses

// A Defense is one measure that separates page code from the outside. Its purpose is described
// where it is implemented. The tests that remove it demonstrate its effect.
type Defense uint16

// The defenses. Each of the first nine is a header, on every response that has it.
const (
	ContentSecurityPolicy Defense = 1 << iota
	ConnectionAllowlist
	DNSPrefetchControl
	CrossOriginOpenerPolicy
	CrossOriginResourcePolicy
	PermissionsPolicy
	ReferrerPolicy
	ContentTypeOptions
	OriginAgentCluster
	// FrameSource is the outer frame's frame-src, which names a single sandbox.
	FrameSource
	// Sandbox is the sandbox attribute of the view's iframe, and the directive of the same
	// name in its policy.
	Sandbox
	// WorkerGuard blocks every service worker except ours.
	WorkerGuard
	// WorkerDecision is our worker's decision on requests to other origins.
	WorkerDecision
	// AnswerHeaders is the filter by which our worker removes headers from an allowed host's
	// response.
	AnswerHeaders
	// Alone blocks a document of the sandbox that is opened in its own tab.
	Alone
	// CookieClearing deletes cookies that sandboxes leave for each other.
	CookieClearing

	all = 1<<iota - 1
)

var names = map[Defense]string{
	ContentSecurityPolicy: "Content-Security-Policy", ConnectionAllowlist: "Connection-Allowlist",
	DNSPrefetchControl: "X-DNS-Prefetch-Control", CrossOriginOpenerPolicy: "Cross-Origin-Opener-Policy",
	CrossOriginResourcePolicy: "Cross-Origin-Resource-Policy", PermissionsPolicy: "Permissions-Policy",
	ReferrerPolicy: "Referrer-Policy", ContentTypeOptions: "X-Content-Type-Options", OriginAgentCluster: "Origin-Agent-Cluster",
	FrameSource: "frame-src", Sandbox: "sandbox", WorkerGuard: "worker guard", WorkerDecision: "worker decision", AnswerHeaders: "answer headers", Alone: "alone",
	CookieClearing: "Clear-Site-Data",
}

// String returns the name for people.
func (d Defense) String() string { return names[d] }

// All returns all defenses.
func All() []Defense {
	var list []Defense
	for d := Defense(1); d&all != 0; d <<= 1 {
		list = append(list, d)
	}
	return list
}

// Set says which defenses are in force. Its zero value is all of them.
type Set struct{ missing Defense }

// None returns the set without any defense.
func None() Set { return Set{all} }

// Without returns the set of all defenses except the given ones.
func Without(taken ...Defense) Set {
	var s Set
	for _, d := range taken {
		s.missing |= d
	}
	return s
}

// Has reports whether a defense is in force.
func (s Set) Has(d Defense) bool { return s.missing&d == 0 }
