// Waiting for the worker to have a revision. The outer frame can hear of it first.
import { paths } from '../protocol/protocol.gen'

const { fetch } = window

// reached returns once the worker answers from the revision or a newer one, and fails if the worker
// does not get it. Without a worker, the server does so from the start.
export async function reached(revision: number): Promise<void> {
  if (navigator.serviceWorker?.controller == null) return
  const hello = await fetch(`${paths.hello}?revision=${revision}`, { cache: 'no-store' })
  if (!hello.ok) throw new Error('the worker cannot get its state')
}
