// Chromium 156 sometimes never activates a waiting worker. This file makes it try
// again.
//
// Chromium stops the old worker once that has no request in progress, and activates the
// new one once it has stopped. If any document of the origin sends a request in
// between, within some milliseconds, the old worker starts again. Chromium does not
// retry before that one has been idle for 30 s, or 5 minutes have passed
// (https://github.com/w3c/ServiceWorker/issues/1295). In a measurement, a document
// requested a file about 20 times a second while a frame in it was reloaded: 5 of 24
// hand-overs did not happen within 10 s.
//
// Two things make Chromium retry: a navigation, which sends the old worker a request,
// and the installation of another worker. A worker at another address is another
// worker.
import { paths } from '../protocol/protocol.gen'
import { within } from './deadline'

const deadline = 10_000 // milliseconds for all tries together
const pause = 250 // milliseconds between two tries

type Register = (script: string) => Promise<unknown>

// handOver resolves to true once the page's worker has been replaced, and to false if
// that takes too long. It replaces a waiting worker by another one.
export async function handOver(registration: ServiceWorkerRegistration, replaced: Promise<void>, register: Register): Promise<boolean> {
  const tries = setInterval(() => {
    // A failed try does not matter: if no other one succeeds, the deadline reports it.
    if (registration.installing === null && registration.waiting !== null) register(next(registration.waiting)).catch(() => undefined)
  }, pause)
  try {
    await within(deadline, replaced)
    return true
  } catch {
    return false
  } finally {
    clearInterval(tries)
  }
}

const count = 'again'

// next returns another address for the worker's script, so that it counts as another
// worker. The server sends the same script for each address. Documents that try at the
// same time usually see the same worker waiting, and so request the same address.
function next(worker: ServiceWorker): string {
  const before = Number.parseInt(new URL(worker.scriptURL).searchParams.get(count) ?? '', 10)
  return `${paths.worker}?${count}=${(before || 0) + 1}`
}

// scriptOf returns the address of the registration's newest worker. Registering any
// other address would replace that worker.
export function scriptOf(registration: ServiceWorkerRegistration | undefined): string {
  const newest = registration?.installing ?? registration?.waiting ?? registration?.active ?? undefined
  if (newest === undefined) return paths.worker
  const url = new URL(newest.scriptURL)
  return url.pathname === paths.worker ? url.pathname + url.search : paths.worker
}
