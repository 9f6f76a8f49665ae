// Package rule holds the contents of a policy, and the one spelling of a URL. The language,
// its compiled forms, and the programs that ask for decisions share these types.
//
// # A guided tour
//
// The two functions to know: [CanonicalURL] returns the spelling that rules are compared with,
// and [Rule.Covers] reports which types of requests a rule covers. Package rules reads
// policies, and re-exports the names that an embedder needs.
//
//   - policy.go, rule.go, pattern.go: a policy, its rules, and their patterns.
//   - mask.go: the methods and types of a rule as bits.
//   - verdict.go: a request, and the answer to it.
//   - url.go, settled.go, canonical.go: the one spelling of a URL and of a path.
//
// # Invariants
//
//   - The zero value of everything here blocks: the zero [Action] is [Block], and a zero
//     [Policy] allows nothing.
//   - Only package rules makes a validated [Policy]. The compiled forms do not check one
//     again.
package rule
