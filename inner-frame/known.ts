// Telling the worker of a revision. The outer frame can hear of it first.
import { paths } from '../protocol/protocol.gen'

const { fetch } = window

// known returns once the worker answers from the revision or a newer one. The worker does not wait
// for that revision here, but in the next request. Without a worker, the server answers from the
// newest revision.
export async function known(revision: number): Promise<void> {
  if (navigator.serviceWorker?.controller == null) return
  const answer = await fetch(`${paths.known}?revision=${revision}`, { cache: 'no-store' })
  if (!answer.ok) throw new Error('the worker does not answer')
}
