// The configuration that the server writes into the worker's script, before this bundle. The
// script is served only to a service worker registration, so page code cannot read it.
import type { WorkerConfig } from './state.gen'

declare const bellglassConfig: WorkerConfig

export const config: WorkerConfig = bellglassConfig

// esbuild replaces these constants when it makes the bundle. They are true except in tests
// that show what each defense is for. esbuild drops the code of the unused branch.
declare const DECIDES: boolean
export const decides: boolean = DECIDES
declare const DROPS_HEADERS: boolean
export const dropsHeaders: boolean = DROPS_HEADERS
