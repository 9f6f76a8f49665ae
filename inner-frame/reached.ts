// Waiting for the worker to hear of a revision. The outer frame can hear of it first.
import { paths, type WorkerHello } from '../protocol/protocol.gen'

const pause = 20 // milliseconds between two questions

const { fetch, setTimeout } = window

// reached returns once the worker answers from the revision or a newer one. Without a worker,
// the server does so from the start.
export async function reached(revision: number): Promise<void> {
  if (navigator.serviceWorker?.controller == null) return
  for (;;) {
    const hello = await fetch(paths.hello, { cache: 'no-store' })
    if ((await hello.json() as WorkerHello).revision >= revision) return
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}
