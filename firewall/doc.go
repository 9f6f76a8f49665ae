// Package firewall decides whether a request may leave, and why. It also writes the response
// headers that make the browser decide alike.
//
// # A guided tour
//
// [New] takes a validated policy. [Firewall.Decide] decides one request and returns a
// [Verdict], which always has a reason. [Firewall.Headers] returns the whole set of policy
// headers for a response of a [Class]. [Firewall.Explain] returns both for one request.
//
//   - decide.go: the decision.
//   - explain.go: the decision, its grounds, and what the headers do with the request, for
//     people and for the HTTP API.
//   - headers.go: the classes of responses and the header set of each.
//   - baseline.go, csp.go, isolated.go: the Content-Security-Policy of a sandbox's documents.
//   - grants.go: what a sandbox is granted in addition to its policy.
//
// Package rules/browser has the sources and patterns of the policy.
//
// # Invariants
//
//   - The zero value of everything here blocks: a zero Firewall blocks every request, and a
//     response of the zero Class may load nothing.
//   - What the program allows, the browser's policies allow, too: a source may be wider than
//     its rule, never narrower. The worker sees path, method, and exceptions, and decides
//     within what the browser allows.
//   - There are two exceptions, in which the browser blocks what a rule allows. No CSP source
//     names an IPv6 address. URLPattern decodes nothing, so it does not match a path that a
//     page spells with needless percent-encoding.
//   - Policy headers are set only here.
//
// # The switch for tests
//
// A test of a defense must show that the attack succeeds without it. The type [Defenses] says
// which defenses are in force. Its zero value is all of them. Only package firewalltest can
// remove any, and no production code may import it.
package firewall
