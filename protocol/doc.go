// Package protocol holds every shape that crosses a border between two of
// Bellglass's programs: Go, the service worker, the inner frame, the outer
// frame and the host page.
//
// # A guided tour
//
//   - protocol.go: the protocol number, and the paths below the reserved prefix.
//   - page.go: what the inner frame tells the outer frame. All of it is the
//     word of the page, and so of untrusted code.
//   - event.go: what happened in a sandbox, in the order the server saw it.
//     The outer frame gets events from the server and hands them to the host page.
//   - host.go: what the outer frame and the host page say to each other.
//   - worker.go: what the service worker tells the inner frame, and its codes of verdicts.
//   - execute.go: code that is run on demand, from the server to a worker of the
//     inner frame and back.
//
// # One truth
//
// The shapes are written in Go alone. The TypeScript that the four browser
// programs compile against, protocol.gen.ts beside this file, is rendered from
// these types by a test of this package, which fails when the two differ.
// Shapes that need rules or files (the worker's state) live in package sw and
// are rendered in the same way. So are the data of each page, the constants of
// the program (rules/program), and the words of BTCP.
//
// # Invariants
//
// Every message is a member of a closed union, told apart by one field, and
// the first message between two programs carries [Version]. A program that
// sees another number refuses to go on: it does not guess.
package protocol
