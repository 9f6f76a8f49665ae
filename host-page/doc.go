// Package hostpage holds the page that people see when they run Bellglass: the
// sandbox under its glass, and beside it what the sandbox did.
//
// # A guided tour
//
//   - hostpage.go: the page as a Go template, and the hashes of its one script
//     and one style for the Content-Security-Policy.
//   - host.html, host.css: the page's skeleton, its icons and its looks.
//   - start.ts, signin.ts: where the page begins, and asks for a token if it has to.
//   - host.ts: wires the parts below. The outer frame's iframe and the channel to it
//     are those of package client.
//   - status.ts: the top bar, and what covers the stage when nothing runs.
//   - successor.ts: when the page is loaded again, because the server was started anew.
//   - log.ts: a list that takes hundreds of events at once, follows the newest
//     and drops the oldest. The two lists are made of it.
//   - network.ts, verdict.ts, details.ts, address.ts: the verdict list, its
//     rows, what a row opens, and how a long URL is cut so that it cannot
//     deceive.
//   - console.ts, line.ts: the console list and its rows.
//   - lifecycle.ts: the separators that stand in both lists.
//   - tabs.ts, splitter.ts: the panel's tabs, and the bar that resizes it.
//   - data.ts, dom.ts, text.ts: the data block, making elements, showing text.
//
// # Invariants
//
// Every string that is shown may have been written by untrusted code. The page
// never parses one as HTML: elements are made one by one and text is set as
// text, and characters that could reorder or hide text are made visible
// (text.ts). The Content-Security-Policy allows the page its one script, its
// one style and its one frame, so a slip would have nothing to run with.
//
// The page decides nothing, and calls no API; all it knows comes over the channel from
// the outer frame. Where it needs a token, that gets it its own data, and nothing else.
//
// # Hooks for tests
//
// Elements that tests look for carry data-testid: state, containment,
// connection, policy, revision, reload, token, sign-in, sign-in-problem, sign-out, failure, retry, network, verdict,
// console, console-line and lifecycle. The data-* attributes beside them hold
// the values as they came over the channel, not cut for people.
package hostpage
