// Package program is the form of a policy that decides requests: a table of
// literals and parts that Go and the service worker read where it lies.
//
// # A guided tour
//
// [Build] compiles a policy, and [Program.Decide] judges a request by it.
// [Open] reads the bytes that [Program.Bytes] wrote.
//
//   - program.go: the format, and how it is opened.
//   - build.go, bucket.go, encode.go, assemble.go: how it is written, with its index;
//     cost.go: the policies that would make deciding slow, and are refused.
//   - decide.go, search.go, hash.go, match.go: how it is read.
//
// sw/src has the same steps in TypeScript. Its constants and lists of words are
// sw/src/program.gen.ts, which a test of this package writes.
//
// # Invariants
//
//   - A nil and a zero [Program] block all.
//   - The worker gets no patterns. Go decides by the very bytes that it gets.
//   - The index makes a decision's time independent of the number of rules. The
//     page chooses the URL, and no URL may make matching slow.
package program
