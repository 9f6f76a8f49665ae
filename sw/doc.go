// Package sw builds the service worker of a sandbox: its JavaScript, and the types of the data
// that the worker and its server exchange.
//
// # A guided tour
//
//   - bundle.go: [Bundle] bundles the TypeScript of a folder into one classic script, with
//     esbuild, in this process. It also bundles the outer frame, the inner frame, and the
//     host page.
//   - script.go: [Worker] is the bundled worker. [Worker.Script] puts the configuration of
//     one sandbox, including its secret, before the bundle.
//   - state.go: what the worker fetches and sends.
//   - stateresponse.go: [StateResponse] makes one answer of the state and the contents that
//     the worker lacks.
//   - src/: the worker. Its file worker.ts begins with an overview.
//
// # Files
//
// The worker answers as a static server does. For the path /x it looks for the file /x, the
// page /x.html, and the folder's /x/index.html, in this order. If it finds none of them, a
// navigation gets the sandbox's fallback (for a single-page app), or else its /404.html with
// status 404. Every other request gets a text that says why. A path with an empty segment is
// rejected. For contents that it does not keep in memory, the worker returns the server's own
// response, and a range as a range.
//
// # Invariants
//
//   - The script of a sandbox is the same bytes at each request. Otherwise the browser would
//     install it again each time it looks for an update.
//   - The worker never sends its secret to an address that page code can influence
//     (src/server.ts).
//   - The bundle's hash is in the script and in the boot page. A worker that answers with
//     another hash is replaced before anything runs.
//   - The types in src/state.gen.ts are rendered from state.go by a test, and the constants
//     in src/program.gen.ts from rules/program.
package sw
