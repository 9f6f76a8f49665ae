// What the server writes into the worker's script, ahead of this bundle. The
// script is served only to a service worker registration, so nothing here can
// be read by page code.
import type { WorkerConfig } from './state.gen'

declare const bellglassConfig: WorkerConfig

export const config: WorkerConfig = bellglassConfig

// Replaced by esbuild when the bundle is made. They are true everywhere but in tests
// that show what each is for, and then esbuild drops the code of the other case.
declare const DECIDES: boolean
export const decides: boolean = DECIDES
declare const DROPS_HEADERS: boolean
export const dropsHeaders: boolean = DROPS_HEADERS
