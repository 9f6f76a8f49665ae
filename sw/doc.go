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
// # Invariants
//
//   - The script of a sandbox is the same bytes at each request, or the browser
//     would install it anew each time it looks for an update.
//   - The bundle's hash is in the script and in the boot page. A worker that
//     answers with another hash is replaced before anything runs.
//   - The types in src/state.gen.ts are rendered from state.go by a test.
package sw
