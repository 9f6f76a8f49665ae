// Package server serves sandboxes to browsers, each at its own origin.
//
// A program needs three functions. [New] makes a server. [Server.Create] makes a sandbox from
// files and a policy; an iframe with its [sandbox.Sandbox.OuterURL] shows it. [Server.Serve]
// serves at the addresses that [Listen] has opened. A program with its own http.Server mounts
// the [Server] there instead; see [Server.Owns].
//
// [Sandbox] has the methods for everything later: files, policy, events, and executions. They
// come from package sandbox. Its types, and those of package api, have names in this package
// too (names.go).
//
// # Life of a request
//
//  1. [Server.ServeHTTP] looks up the Host header (hosts.go). Each host has one table of
//     routes. An unknown host has a table too, which answers 421 for every path. That also
//     stops DNS rebinding. All names and origins derive from [Config.PublicURL] (address.go).
//     TLS may end here (certificate.go), with HTTP/2 (frames.go).
//  2. The table finds the request's row by method, path, and Sec-Fetch-Dest. With the row it
//     finds the sandbox in its current version (routes.go, subject.go). Nothing else judges a
//     URL. testdata/routes.txt lists what each table answers.
//  3. The row names the response's class. All policy headers of the class are set before any
//     handler runs, so errors and panics have them too (policies.go).
//  4. The row's guards and its handler answer. There are tables for the host page and its
//     interface (host.go), for the outer frame (outer.go) with the browser library
//     (library.go), and for an inner origin (inner.go). The HTTP API is at the host page's
//     origin (api.go, apiauth.go). Package api has its operations, from which its routes, its
//     document, and its tests are made.
//  5. An inner origin serves the boot page, the worker's script, and the worker's own
//     endpoints (worker.go). It takes the reports of the browser and of the sandbox's workers
//     (browserreport.go). With a state it sends the contents that the worker keeps in memory.
//     Only the worker serves virtual files, unless the policy allows the server to do it
//     (static.go).
//  6. One place turns a handler's error into a response: errors.go. The HTTP API answers with
//     problems.
//
// # Life of a sandbox
//
// Package sandbox holds the sandboxes, their versions, logs, and executions, and knows no
// HTTP. The server keeps the secrets of each sandbox's worker and outer frame, and their
// budgets (sandbox.go).
//
// TypeScript, JSX, and imports are compiled when files change (package compile). Sources can be
// hostile, so the program starts itself again to compile them, with limits for time and memory
// (package compile/child). The program need not do anything for that.
//
// A worker fetches the state of a version (state.go), and a stream notifies it of the next
// version (worker.go). The outer frame follows the log over HTTP (events.go).
// [Server.Remove] ends a sandbox, and [Server.End] ends the server (ending.go).
//
// # Words
//
//   - A revision is the number of a sandbox's state. A version is everything that belongs to one
//     revision.
//   - A policy is what its author writes: rules, and what scripts may do. The server compiles
//     it to policy headers for the browser, and to a program for the worker.
//   - A verdict is the decision on one request, with its grounds. The worker sends verdict
//     reports, and the log has verdict events.
//   - A state is what a worker fetches. The preload is the contents that come with it.
//   - An execution ends with an outcome: a result or a failure.
//   - A place is a position in a script. A source says whose word an event is, except in
//     package rules/browser, where it is a source of a Content-Security-Policy.
//   - A view is the frame in which a sandbox runs. The outer frame is around it.
//   - A warm sandbox has no files yet. Its views have booted, or boot, and wait for the files. To
//     fill it is to give it files.
//
// # Metrics and logs
//
// Each request is counted and logged once it is answered (exchange.go). Events in the lives of
// sandboxes are counted too (metrics.go). health.go reports whether the server is well.
//
// # Life of an execution
//
// [sandbox.Sandbox.Execute] accepts code and asks an outer frame to run it, over the stream of
// events. The service worker fetches the code. The outer frame posts the execution's reports,
// and its result at the end (executionroutes.go).
//
// Code that is given capabilities is isolated (isolated.go): an outer frame loads a document
// for it that has no origin and that the server serves only once. A message of BTCP becomes
// such an execution. With [Config.BTCP] a client in a page frames a new sandbox, whose outer
// frame accepts such messages (tools.go).
//
// # Life of an MCP App
//
// With [Config.MCPApps] the outer origin is a sandbox proxy. A host's request makes a sandbox
// without files, with the policy that the app declares (proxy.go). Its view boots, and begins
// the document. The host hands in the app once (app.go), and the document goes on with it.
//
// # Limits on hostile code and hostile clients
//
// [Limits] holds the limits, and docs/limits.md says what happens at each. Each limit has a
// file:
//
//   - limitrate.go: token buckets of a sandbox; a request beyond them gets 429 and Retry-After.
//   - limitstream.go: how many streams are open.
//   - streamcheck.go: a stream that shows a program whether a proxy buffers responses.
//   - limitbody.go: the memory of request bodies.
//   - limitconn.go, limitwrite.go: connections, and how slow a client may be.
//   - turn.go: how many policies are parsed and archives unpacked at once.
//   - package sandbox: how many sandboxes there are, and for how long; their files, logs, and
//     executions.
//
// A sandbox at its limits does not affect the others. Resources that they share are divided
// among them (event logs, bodies), or need a sandbox's secret or a token.
//
// # Invariants
//
//   - Only Go code and callers of the HTTP API with a token change a sandbox's policy. A
//     message from a sandbox or its frames never does. An MCP host sets the policy once,
//     before anything runs, within the operator's bounds.
//   - A sandbox's host name never serves the host page's interface.
//   - The worker's secret leaves the process only in the worker's script. The script is served
//     only to Sec-Fetch-Dest: serviceworker, a header that no page can set.
//   - No cookie is set or read.
package server
