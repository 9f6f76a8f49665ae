// Package selftest lets users check containment in their own browsers. It runs the hostile
// code of package escape there, once in sandboxes and once without any defense. A canary on
// other ports of the same machine records what arrived.
//
// # A guided tour
//
//   - rows.go: which techniques run in a visitor's browser, and why the others do not.
//   - canary.go, conn.go, answer.go: what listens, and what it answers.
//   - plain.go: the pages of the control, which have no defenses.
//   - visit.go, schedule.go, run.go: one page with its techniques; all pages, four at a time; a
//     run from its start to its report.
//   - order.go: what the server and the page of a run tell each other.
//   - report.go: what was found, in words.
//   - service.go, guard.go: the paths below /selftest, and who may use them.
//   - page.go, selftest.html, selftest.css: the page. selftest.ts is its entry. run.ts does what
//     the server orders. stage.ts shows the frames, wall.ts and table.ts the outcomes, and
//     result.ts a whole result.
//
// # What decides
//
// Only the canary decides whether something got out, never a page. Each visit has its own port
// on the loopback addresses. Only the techniques of that visit know the port, and its
// sandbox's policy does not name it. So whatever reaches the port of a visit under glass has
// escaped, including bare connections and datagrams. A request names its technique by its
// host, and a TLS hello by its server name. An arrival without a name belongs to the only
// technique of the page, or else to one of those that shared it.
//
// Each technique also runs without defenses, in a frame from one of the canary's origins. Only
// a technique that arrives there can be called contained: see [Outcome].
//
// # Invariants
//
//   - Nothing leaves the machine. The names are below localhost, which browsers resolve to
//     loopback themselves (RFC 6761, section 6.3; the Secure Contexts specification). The canary
//     listens on loopback only.
//   - A run ends when its page is gone, its time limit is reached, or the visitor cancels it. Its
//     sandboxes and its ports end with it. There is one run at a time.
package selftest
