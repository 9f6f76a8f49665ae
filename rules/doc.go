// Package rules turns a YAML file, with the files that it includes, into a [Policy]. The
// policy is either wholly valid or rejected with positions.
//
// # A guided tour
//
// [Load] reads a policy from files, and [Parse] reads a policy from one text. Both report
// every mistake at once as [Errors], each with file, line, column, the source line, and a
// hint.
//
// [Policy.Program] returns the form that decides requests, in Go and in the service worker.
// [Policy.Browser] returns what the browser's own policies say. A [Reporter] tells whether the
// browser or the worker enforces a rule. docs/rules.md explains the language to authors of
// policies, and [Starters] returns policies to begin with.
//
//   - policy.go, names.go: a validated policy, and the names of the packages below. Package
//     rule has the contents of a policy.
//   - load.go: the files of a policy, as layers.
//   - parse.go, node.go: YAML, its structure, its positions.
//   - keys.go, vocabulary.go, words.go: the tables of keys and the closed lists of words.
//   - rule.go, tests.go: one rule; the tests in a policy.
//   - compile.go, expand.go, host.go, address.go, path.go: one pattern.
//   - enforce.go: which rules the browser must be able to enforce alone.
//   - forms.go, withoutworker.go: the compiled forms. Package program decides requests, and
//     package browser writes what the browser is told.
//   - warn.go: rules that are legal but certainly not meant.
//   - schema.go: the same tables as a JSON Schema, for editors.
//   - starters.go, default.go: policies whose comments teach the language.
//
// # The language in short
//
// Everything that no rule allows is blocked. The order of rules and files does not matter. A
// matching block wins unless one of its except patterns matches. Next, a matching allow wins
// if every included ceiling allows the request too.
//
// A pattern is scheme, host, port, and path. Each part is matched on its own; query and
// fragment are never matched. A pattern is not a glob over the whole URL, where a star can
// swallow a host. In a host, "*." is one or more labels, and any other "*" stays inside its
// label. In a path, "*" stays inside its segment, and "**" is one or more whole segments.
//
// The service worker applies every rule exactly. The browser's own policies apply it as
// narrowly as they can. With enforce: browser, a rule that they cannot express exactly is
// rejected. The worker sees neither WebSockets nor frames. So a rule can allow these only if
// the browser's policies express it exactly.
//
// Tests are part of the file and run whenever it is read. A test that fails rejects the file.
// Only mode: audit lets a request pass that no rule matches. It logs such requests and
// contains nothing.
//
// # Invariants
//
//   - The zero value of everything here blocks: the zero Action is Block; a zero Policy and a
//     zero Program allow nothing.
//   - Syntax exists only in this package. The compiled forms consist of literals and parts.
//   - A label or segment has at most one star, so matching it is a test of prefix and suffix.
//   - gobwas/glob is the authority on glob syntax and the oracle in the tests. It never
//     decides a request.
package rules
