// Package sw makes the service worker of a sandbox: the JavaScript, and the
// exact shapes that the worker and its server exchange.
//
// # A guided tour
//
//   - bundle.go: [Bundle] turns the TypeScript of a folder into one classic
//     script, with esbuild, in this process. The outer frame, the inner frame
//     and the host page are bundled by it too.
//   - script.go: [Worker] is the bundled worker; [Worker.Script] writes one
//     sandbox's configuration, its secret among it, ahead of the bundle.
//   - state.go: what the worker fetches and sends.
//   - parcel.go: [Parcel], the state and the contents that the worker lacks, in one
//     answer.
//   - src/: the worker. Its file worker.ts opens with a rundown.
//
// # Files
//
// The worker answers as a static server does. A path has its own file, or the page
// /x.html for /x, or the folder's /x/index.html, in this order. What has none of them
// gets, if it is a navigation, the sandbox's fallback (for a single-page app) or its
// /404.html, the latter with the status 404; and otherwise a text that says why. A
// path with an empty segment is no path. What is not kept in memory is handed on as
// the server's own answer, a range as a range.
//
// # Invariants
//
//   - The script of a sandbox is the same bytes at each request, or the browser
//     would install it anew each time it looks for an update.
//   - The worker's secret goes to no address that page code has a part in
//     (src/server.ts).
//   - The bundle's hash is in the script and in the boot page. A worker that
//     answers with another hash is replaced before anything runs.
//   - The types in src/state.gen.ts are rendered from state.go by a test, and the
//     constants in src/program.gen.ts from rules/program.
package sw
