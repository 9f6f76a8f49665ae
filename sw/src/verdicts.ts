// Telling the server each verdict, with the secret, so that page code can
// neither forge nor hide a line of the network log.
import { paths } from '../../protocol/protocol.gen'
import { executionOf } from './clients'
import { ask, Refused } from './server'
import type { Batch, BlockNotice, Verdict } from './state.gen'

declare const self: ServiceWorkerGlobalScope

// The worker keeps this many verdicts while the server does not take them; what
// is beyond is counted, and the count is told.
const kept = 2_000
// No page waits for these, and a server that takes them slowly has them all the
// same: sent again too early, they would be in the log twice.
const deadline = 120_000 // milliseconds
// As many as the server takes at once, even if each is as long as it can be.
const batchSize = 200
// URLs and methods in the log are cut here: a page can make one as long as it
// likes, and what the server refuses for its length would hold up all others.
const urlLength = 2_048 // characters
const methodLength = 64

// A verdict waits with the client that made the request, which may be the worker of
// an execution.
interface Waiting {
  readonly verdict: Omit<Verdict, 'execution'>
  readonly execution: Promise<string>
}

let queue: Waiting[] = []
let droppedCount = 0
let sending: Promise<void> | undefined

type Outcome = Omit<Verdict, 'time' | 'method' | 'url' | 'destination' | 'execution'>

// record queues a verdict and keeps the worker awake until it has been sent.
export function record(event: FetchEvent, outcome: Outcome): void {
  if (queue.length >= kept) {
    droppedCount++
    return
  }
  const verdict = {
    time: new Date().toISOString(),
    method: event.request.method.slice(0, methodLength),
    url: event.request.url.slice(0, urlLength),
    destination: event.request.destination,
    virtual: outcome.virtual,
    status: outcome.status,
    revision: outcome.revision,
    action: outcome.action,
    rule: outcome.rule,
    code: outcome.code,
    reason: outcome.reason,
    file: outcome.file,
    line: outcome.line,
  }
  queue.push({ verdict, execution: executionOf(event.clientId) })
  sending ??= send().finally(() => (sending = undefined))
  event.waitUntil(sending)
}

// settled waits until each verdict has been sent, or sending has failed.
export async function settled(): Promise<void> {
  while (sending !== undefined) await sending
}

async function send(): Promise<void> {
  // One turn of the event loop lets the verdicts of one burst go together.
  await new Promise((resolve) => setTimeout(resolve, 0))
  while (queue.length > 0 || droppedCount > 0) {
    const waiting = queue.splice(0, batchSize)
    const dropped = droppedCount
    droppedCount = 0
    const verdicts = await Promise.all(waiting.map(async ({ verdict, execution }) => ({ ...verdict, execution: await execution })))
    const batch: Batch = { dropped, verdicts }
    try {
      await ask(paths.verdicts, { method: 'POST', body: JSON.stringify(batch), deadline })
    } catch (error) {
      if (error instanceof Refused) {
        // Whatever is wrong with them, the next ones must not wait for it.
        droppedCount += dropped + waiting.length
        if (waiting.length > 0) continue
        return
      }
      // Kept for the next verdict's turn; the oldest come first again.
      queue = [...waiting, ...queue]
      droppedCount += dropped
      return
    }
  }
}

// warn tells the page that made a blocked request, so that its console shows why.
export async function warn(event: FetchEvent, verdict: Pick<Verdict, 'rule' | 'code' | 'reason' | 'file' | 'line'>): Promise<void> {
  const client = await self.clients.get(event.clientId)
  const notice: BlockNotice = {
    kind: 'blocked',
    method: event.request.method.slice(0, methodLength),
    url: event.request.url.slice(0, urlLength),
    rule: verdict.rule, code: verdict.code, reason: verdict.reason, file: verdict.file, line: verdict.line,
  }
  client?.postMessage(notice)
}
