// Package hostpage holds the page that people see when they run Bellglass: the sandbox
// under its glass, and beside it what the sandbox did.
//
// # Files
//
//   - hostpage.go: the page as a Go template, and the hashes of its one script and one
//     style for the Content-Security-Policy.
//   - host.html, host.css: the page's markup, icons, and style.
//   - start.ts, signin.ts: the entry, and the request for a token if one is needed.
//   - host.ts: wires the parts below. The outer frame's iframe and the channel to it
//     come from package client.
//   - status.ts: the top bar, and what covers the stage when nothing runs.
//   - notice.ts: a line that names scripts that did not run.
//   - successor.ts: decides when to reload the page after a restart of the server.
//   - log.ts: a list that takes hundreds of events at once, follows the newest, and
//     drops the oldest. Both lists use it.
//   - network.ts, verdict.ts, details.ts, outcome.ts, address.ts: the verdict list, its
//     rows, their details, what came of a request, and how a long URL is cut without
//     misleading.
//   - console.ts, line.ts: the console list and its rows.
//   - lifecycle.ts: the separators in both lists.
//   - tabs.ts, splitter.ts: the panel's tabs, and the bar that resizes it.
//   - data.ts, dom.ts, text.ts: the data block, creating elements, showing text.
//     data.gen.ts is generated from Go.
//
// # Invariants
//
// Untrusted code may have written any string that is shown. The page never parses one
// as HTML: it creates elements one by one and sets text as text. It makes characters
// visible that could reorder or hide text (text.ts). The Content-Security-Policy allows
// the page its one script, its one style, and its one frame, so an injected script
// would not run.
//
// The page decides nothing and calls no API. It learns everything over the channel from
// the outer frame. A token, if needed, gets the page its own data and nothing else.
//
// # Hooks for tests
//
// Elements that tests look for have data-testid: state, containment, connection,
// policy, revision, reload, token, sign-in, sign-in-problem, sign-out, failure, retry,
// network, verdict, console, console-line, and lifecycle. Their data-* attributes have
// the values as they came over the channel, not shortened for people.
package hostpage
