// Package browser says what a browser is told of a policy: the sources of its
// Content-Security-Policy, and the patterns of its Connection-Allowlist.
//
// # A guided tour
//
// [Compile] makes [Policies] of a policy, and [NewReporter] tells who holds which
// of its rules. Package firewall writes the headers.
//
//   - source.go, widening.go: one target as a source and as a pattern, and what
//     these cannot say of it.
//   - shape.go: a target as a source can say it, and which one covers which.
//   - browser.go, ceiling.go, cover.go: all rules together, within the ceilings,
//     and without what another covers.
//   - script.go, allowlist.go, permissions.go: the keywords for ways to run script, and
//     the values of Connection-Allowlist and Permissions-Policy.
//   - budget.go: the room in a header, and what becomes wider for want of it.
//   - report.go, hosts.go: the reports on rules.
//   - concern.go: which sources and patterns bear on a given URL.
//
// # Invariants
//
//   - A source or pattern may be wider than the rule that it comes from, and never
//     narrower.
//   - What no worker sees, WebSockets and frames, is never widened for want of room.
//   - [Policies.Sizes] is the very number that is held against [HeaderBudget].
package browser
