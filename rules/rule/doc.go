// Package rule holds what a policy says, and the one spelling of a URL: the words
// that the language, its compiled forms, and the programs that ask share.
//
// # A guided tour
//
// A caller wants [CanonicalURL], to see what rules are compared with, and
// [Rule.Covers], to ask of which requests a rule speaks. Package rules reads
// policies, and has the names that an embedder needs.
//
//   - policy.go, rule.go, pattern.go: a policy, its rules, and their patterns.
//   - mask.go: the methods and types of a rule as bits.
//   - verdict.go: a request, and the answer to it.
//   - url.go, settled.go, canonical.go: the one spelling of a URL and of a path.
//
// # Invariants
//
//   - The zero value of everything here refuses: the zero [Action] is [Block], and
//     a zero [Policy] allows nothing.
//   - Only package rules makes a [Policy] that is known to be right. The compiled
//     forms do not check one again.
package rule
