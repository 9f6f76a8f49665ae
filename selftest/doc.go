// Package selftest lets anybody check containment in their own browser: it runs
// the hostile code of package escape there, once in sandboxes and once without
// any defence, and a canary on other ports of the same machine says what arrived.
//
// # A guided tour
//
//   - rows.go: which techniques run in a visitor's browser, and why the others do not.
//   - canary.go, conn.go, answer.go: what listens, and what it answers.
//   - plain.go: the pages of the control, which nothing defends.
//   - visit.go, schedule.go, run.go: one page with its techniques; all pages, four at a
//     time; a run from its start to its report.
//   - order.go: what the server and the page of a run tell each other.
//   - report.go: what was found, in words.
//   - service.go, guard.go: the paths below /selftest, and who may use them.
//   - page.go, selftest.html, selftest.css: the page. selftest.ts is its entry; run.ts
//     does what the server orders, stage.ts shows the frames, wall.ts and table.ts
//     the outcomes, result.ts a whole result.
//
// # What decides
//
// Whether something got out is said by the canary alone, never by a page. Each
// visit has a port of its own on the loopback addresses, to which nothing leads
// but the techniques of that visit; its sandbox's policy does not name it. So
// whatever reaches the port of a visit under glass has escaped, a bare connection
// and a datagram too. A request names its technique by its host, a TLS hello by
// its server name; what names nothing belongs to the technique that was alone
// in its page, or else to one of those that shared it.
//
// Each technique runs without defences as well, from an origin of the canary's
// in a frame. Only one that arrives there can be called contained: see [Outcome].
//
// # Invariants
//
//   - Nothing leaves the machine: the names are below localhost, which browsers
//     resolve to loopback themselves (RFC 6761, section 6.3; the Secure Contexts
//     specification), and the canary listens on loopback only.
//   - A run ends with its page, its time limit, or a word of the visitor's, and
//     takes its sandboxes and its ports along. There is one run at a time.
package selftest
