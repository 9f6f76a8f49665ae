// How one worker comes after another where Chromium (156) does not bring it about.
//
// It stops the old worker when that has no request in hand, and puts the new one in
// its place when it has stopped. A request of any document of the origin in between,
// some milliseconds, starts the old one again, and Chromium does not try once more:
// not before that one has had no request for 30 seconds, or 5 minutes have gone by
// (https://github.com/w3c/ServiceWorker/issues/1295). Measured with a document that
// asked for a file some twenty times a second while a frame in it was loaded again: 5
// of 24 hand-overs did not come about in 10 seconds. What makes Chromium try again is
// a navigation, which brings the old worker a request, or another worker that is
// installed; and to be another one it needs no more than another address.
import { paths } from '../protocol/protocol.gen'
import { within } from './deadline'

const deadline = 10_000 // milliseconds, for all tries together
const pause = 250 // milliseconds, between two tries

type Register = (script: string) => Promise<unknown>

// handOver resolves to true when the page's worker has been replaced, and to false
// when it has not been in time. A worker that waits is followed by another one.
export async function handOver(registration: ServiceWorkerRegistration, replaced: Promise<void>, register: Register): Promise<boolean> {
  const tries = setInterval(() => {
    // That a try failed is no news: the deadline says so, if no other one succeeds.
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

// next is the address at which a worker's script is another worker's. The server
// answers each with the same script. Documents that try at the same time mostly
// find the same worker waiting, and so ask for the same one.
function next(worker: ServiceWorker): string {
  const before = Number.parseInt(new URL(worker.scriptURL).searchParams.get(count) ?? '', 10)
  return `${paths.worker}?${count}=${(before || 0) + 1}`
}

// scriptOf is the address by which the registration's newest worker is to be asked
// for, since by another one a page would get another worker and replace that one.
export function scriptOf(registration: ServiceWorkerRegistration | undefined): string {
  const newest = registration?.installing ?? registration?.waiting ?? registration?.active ?? undefined
  if (newest === undefined) return paths.worker
  const url = new URL(newest.scriptURL)
  return url.pathname === paths.worker ? url.pathname + url.search : paths.worker
}
