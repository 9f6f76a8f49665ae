// Package server serves sandboxes to browsers, each on an origin of its own.
//
// A program needs three functions. [New] makes a server. [Server.Create] makes a sandbox of
// files and a policy; an iframe with its [sandbox.Sandbox.OuterURL] shows it.
// [Server.Serve] answers at the addresses of [Listen]. A program with an http.Server of its own
// mounts the [Server] there instead; see [Server.Owns]. [Sandbox] has the methods for what comes
// later: files, policy, events, executions. They are those of package sandbox, whose types
// have names here, too (names.go).
//
// # Life of a request
//
//  1. [Server.ServeHTTP] looks the Host header up (hosts.go). Each host has one table of
//     routes. A host that is none of ours has a table, too, which answers 421 whatever the
//     path is. That also stops DNS rebinding. All names and origins come from
//     [Config.PublicURL] (address.go); TLS may end here (certificate.go), with HTTP/2
//     (frames.go).
//  2. The table finds the request's row by method, path, and Sec-Fetch-Dest, and with it the
//     sandbox in its current version (routes.go, subject.go). Nothing else judges a URL.
//     testdata/routes.txt lists what each table answers.
//  3. The row names the response's class. The class's whole policy header set is put on the
//     response before any handler runs, so that an error and a panic carry it too
//     (policies.go).
//  4. The row's guards and its handler answer. The tables are those of the host page and its
//     interface (host.go), of the outer frame (outer.go) and beside it the browser library
//     (library.go), and of an inner origin (inner.go). The HTTP API is on the host
//     page's: api.go is its table, from which the rows, the document and the tests
//     are made; apiauth.go says who may use it.
//  5. An inner origin answers the boot page, the worker's script and the worker's
//     own endpoints (worker.go), takes the browser's reports and those of the
//     sandbox's workers (browserreport.go), and gives with a state the contents that the
//     worker keeps in memory. Virtual files come from the worker alone, unless the policy
//     can do without it (static.go).
//  6. An error of any handler becomes one answer in one place (errors.go, for the
//     HTTP API apiproblem.go).
//
// # Life of a sandbox
//
// Package sandbox has the sandboxes, their versions, logs, and executions, and knows no HTTP.
// The server keeps with each what its worker and its outer frame have to show, and what they
// may take (sandbox.go). A worker fetches the state of a version (state.go) and is told of the
// next one over a stream (worker.go). The outer frame follows the log over HTTP (events.go,
// eventquery.go). [Server.Remove] ends a sandbox, and [Server.End] the whole (ending.go).
//
// # What can be watched
//
// Each request is counted and logged when it has been answered (exchange.go), and
// so is what happens to sandboxes (metrics.go); health.go says whether it goes well.
//
// # Life of an execution
//
// [sandbox.Sandbox.Execute] takes code in and asks an outer frame for it, which hears that on
// the stream of events. The service worker fetches the code, and the outer frame
// posts what it reports, at last its result (executionroutes.go).
//
// Code that is given capabilities is isolated (isolated.go): an outer frame loads one
// document for it, which has no origin and which the server serves once. A message of BTCP
// becomes such an execution. With [Config.BTCP] a client in a page frames a new
// sandbox, whose outer frame takes such messages (tools.go).
//
// # Life of an MCP App
//
// With [Config.MCPApps] the outer origin is a sandbox proxy. A host's request makes a
// sandbox without files, with the policy that the app declares (proxy.go). Its view boots,
// and waits. The host hands in the app's document once (app.go), and the view opens it.
//
// # What hostile code and hostile clients can take
//
// [Limits] says how much, docs/limits.md what happens then. Each limit is a file:
//
//   - limitrate.go: token buckets of a sandbox, answered with 429 and Retry-After.
//   - limitstream.go: how many streams are open.
//   - streamcheck.go: a stream by which a program sees whether a proxy collects answers.
//   - limitbody.go: what a request's body takes of the memory.
//   - limitconn.go, limitwrite.go: connections, and how slow a client may be.
//   - turn.go: how many policies are parsed and archives unpacked at once.
//   - package sandbox: how many sandboxes there are, and how long; their files, logs, and
//     executions.
//
// What one sandbox is refused costs another nothing: what they share is divided
// (event logs, bodies), or asked for only by those who hold a sandbox's secret or
// token.
//
// # Invariants
//
//   - A sandbox's policy changes by a call of Go code or by the holder of a token
//     of the HTTP API, never by a message from a sandbox or its frames. An MCP host
//     sets it once, before anything runs, within the operator's bounds.
//   - The interface of the host page is not reachable by a sandbox's host name.
//   - The worker's secret leaves the process only in the worker's script, and that
//     only to Sec-Fetch-Dest: serviceworker, a header that no page can set.
//   - No cookie is set or read.
package server
