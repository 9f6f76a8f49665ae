// Package rules turns one YAML file into a [Policy] that is either wholly valid
// or refused with positions.
//
// # A guided tour
//
// [Parse] is the function you want. It reports every mistake at once as
// [Errors], each with file, line, column, the source line and a hint. From a
// Policy, [Policy.Program] makes the form that decides requests, in Go and in
// the service worker.
//
//   - policy.go, pattern.go: what a policy is, once it is known to be right.
//   - parse.go, node.go: YAML, its structure, its positions.
//   - rule.go, vocabulary.go: one rule and the closed lists of words in it.
//   - compile.go, expand.go, host.go, address.go, path.go: one pattern.
//   - enforce.go: which rules the browser must be able to enforce alone.
//   - canonical.go: the one spelling of a path, for patterns and for requests.
//   - match.go, program.go: matching, and what the worker reads.
//   - default.yaml: the policy that blocks all, with comments that teach.
//
// # The language in six sentences
//
// Everything that no rule allows is blocked. The order of rules never matters:
// a matching block wins unless one of its except patterns matches, then a
// matching allow, then the default. A pattern is scheme, host, port and path,
// each matched on its own; never a glob over the whole URL, in which a star can
// swallow a host. In a host "*." is one or more labels, and any other "*" stays
// inside its label. In a path "*" stays inside its segment and "**" is one or
// more whole segments. Query and fragment are not matched.
//
// # Invariants
//
//   - The zero value of everything here refuses: the zero Action is Block, a
//     zero Policy and a zero Program allow nothing.
//   - Syntax lives here only. What the worker gets is tokens, never patterns.
//   - A star stands at most once in a label or segment, so matching it is a test
//     of prefix and suffix. The page chooses the URL, and no URL may make
//     matching slow.
//   - gobwas/glob is the authority on glob syntax and the oracle in the tests;
//     it decides nothing itself.
package rules
