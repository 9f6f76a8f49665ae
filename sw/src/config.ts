// What the server writes into the worker's script, ahead of this bundle. The
// script is served only to a service worker registration, so nothing here can
// be read by page code.
import type { WorkerConfig } from './state.gen'

declare const bellglassConfig: WorkerConfig

export const config: WorkerConfig = bellglassConfig

// Replaced by esbuild when the bundle is made. Where it is true, which is
// everywhere but in the positive controls of the tests, esbuild drops the code
// that it guards.
declare const DEFENDED: boolean
export const defended: boolean = DEFENDED
