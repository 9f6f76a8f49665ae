// Package protocol has every message and data type that two of Bellglass's programs exchange.
// The programs are Go, the service worker, the inner frame, the outer frame, and the host
// page.
//
// # A guided tour
//
//   - protocol.go: the protocol number, and the paths below the reserved prefix.
//   - boot.go: how a view boots, and what the policy demands of the browser.
//   - page.go: messages between the outer frame and a document of the inner frame.
//   - live.go: how that document shows a newer revision.
//   - report.go: what the document reports. Everything from the inner frame comes from the
//     page, and so from untrusted code.
//   - event.go: what happened in a sandbox, in the order in which the server saw it. The outer
//     frame gets events from the server and passes them to the host page.
//   - host.go: messages between the outer frame and the host page.
//   - worker.go: messages from the service worker to the inner frame, and the worker's codes
//     of verdicts.
//   - execute.go: code that is run on demand, from the server to a worker of the inner frame,
//     and the results on the way back.
//   - kind.go: the field that distinguishes messages.
//
// # One truth
//
// The types are written only in Go. A test of this package renders them as protocol.gen.ts
// beside this file, and fails when the two differ. The four browser programs compile against
// that file.
//
// Types that need rules or files (the worker's state) are in package sw and are rendered in
// the same way. So are the data of each page, the constants of the program (rules/program),
// and the words of BTCP.
//
// # Invariants
//
// Every message is a member of a closed union, and one field tells the members apart. The
// first message between two programs has [Version]. A program that receives another number
// stops, and does not guess. The outer frame answers such a page with [Mismatch].
package protocol
