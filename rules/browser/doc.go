// Package browser says what a browser is told about a policy: the sources of its
// Content-Security-Policy, and the patterns of its Connection-Allowlist.
//
// # A guided tour
//
// [Compile] makes [Policies] from a policy, and [NewReporter] tells who enforces each of its
// rules. Package firewall writes the headers.
//
//   - source.go, widening.go: one target as a source and as a pattern, and what these cannot
//     express.
//   - shape.go: what a source can express of a target, and which shape covers which.
//   - browser.go, ceiling.go, cover.go: all rules together, within the ceilings, without what
//     another one covers.
//   - script.go, allowlist.go, permissions.go: the keywords for ways to run script, and the
//     values of Connection-Allowlist and Permissions-Policy.
//   - budget.go: the space in a header, and what becomes wider if space is short.
//   - report.go, hosts.go: the reports on rules.
//   - concern.go: which sources and patterns cover a given URL.
//
// # Invariants
//
//   - A source or pattern may be wider than its rule, and never narrower.
//   - The worker sees neither WebSockets nor frames. Their sources never become wider for lack
//     of space.
//   - [Policies.Sizes] returns the numbers that are compared with [HeaderBudget].
package browser
