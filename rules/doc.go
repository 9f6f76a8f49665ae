// Package rules turns one YAML file, with those that it includes, into a
// [Policy] that is either wholly valid or refused with positions.
//
// # A guided tour
//
// [Load] is the function you want, or [Parse] for a policy that is one text.
// They report every mistake at once as [Errors], each with file, line, column,
// the source line and a hint. From a Policy, [Policy.Program] makes the form
// that decides requests, in Go and in the service worker; [Policy.Browser] is
// what the browser's own policies say of it, and a [Reporter] tells who holds
// which rule. docs/rules.md tells the language to those who write policies, and
// [Starters] are policies to begin with.
//
//   - policy.go, names.go: a policy that is known to be right, and the names of
//     the packages below. Package rule has what a policy says.
//   - load.go: the files of a policy, as layers.
//   - parse.go, node.go: YAML, its structure, its positions.
//   - keys.go, vocabulary.go, words.go: the tables of keys and the closed lists of words.
//   - rule.go, tests.go: one rule; the tests that a policy brings along.
//   - compile.go, expand.go, host.go, address.go, path.go: one pattern.
//   - enforce.go: which rules the browser must be able to enforce alone.
//   - forms.go, withoutworker.go: the compiled forms. Package program has what
//     decides, and package browser what the browser is told.
//   - warn.go: what is legal and yet surely not meant.
//   - schema.go: the same tables as a JSON Schema, for editors.
//   - starters.go, default.go: policies whose comments teach.
//
// # The language in six sentences
//
// Everything that no rule allows is blocked, and in whichever order and file
// rules stand, a matching block wins unless one of its except patterns matches,
// then a matching allow that every included ceiling allows as well. A pattern is
// scheme, host, port and path, each matched on its own and never query or
// fragment; never a glob over the whole URL, in which a star can swallow a host.
// In a host "*." is one or more labels and any other "*" stays inside its label;
// in a path "*" stays inside its segment and "**" is one or more whole segments.
// The service worker applies every rule as it stands, and the browser's own
// policies as narrowly as they can: enforce: browser refuses a rule that they
// cannot hold exactly, and what no worker sees, WebSockets and frames, can only
// be allowed exactly. Tests stand in the file and run whenever it is read, and one
// that fails refuses it. Only mode: audit lets through what no rule matches, to
// log it, and contains nothing.
//
// # Invariants
//
//   - The zero value of everything here refuses: the zero Action is Block, a
//     zero Policy and a zero Program allow nothing.
//   - Syntax lives here only. The compiled forms are made of literals and parts.
//   - A star stands at most once in a label or segment, so matching it is a test
//     of prefix and suffix.
//   - gobwas/glob is the authority on glob syntax and the oracle in the tests;
//     it decides nothing itself.
package rules
