// Package firewall is the judgement: may this request leave, why, and what must
// the browser be told so that it judges alike.
//
// # A guided tour
//
// [New] takes a validated policy. [Firewall.Decide] answers one request with a
// [Verdict], which always carries its reason. [Firewall.Headers] answers one
// response with the whole set of policy headers for its [Class].
// [Firewall.Explain] puts the two beside each other.
//
//   - decide.go: the decision.
//   - explain.go: the decision, all that stands behind it, and what the headers
//     make of the request, for people and for the HTTP API.
//   - headers.go: the classes of responses and the header set of each.
//   - csp.go, isolated.go: the Content-Security-Policy of a sandbox's documents.
//   - grants.go: what a sandbox is granted beside its policy.
//
// Package rules/browser has the sources and patterns of the policy.
//
// # Invariants
//
//   - The zero value of everything here refuses: a zero Firewall blocks every
//     request, a zero Class is a response that may load nothing.
//   - What the program allows, the browser's policies allow: a source may be
//     wider than the rule that it comes from, never narrower. The worker, which
//     sees path, method and exceptions, decides within what the browser allows.
//     Two things a browser's policy cannot say, so that it blocks what a rule
//     allows: an IPv6 address (no CSP source names one), and a path that a page
//     spells with needless percent-encoding (URLPattern decodes nothing).
//   - Policy headers are set here and nowhere else.
//
// # The switch for tests
//
// A test that shows a defence must show the attack succeed without it. The type
// [Defences] says which are in force; its zero value is all of them, and only
// package firewalltest, which no production code may import, can take any away.
package firewall
