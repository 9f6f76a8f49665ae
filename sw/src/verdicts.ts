// Sends each verdict to the server with the secret, so that page code can neither forge nor
// hide a line of the network log.
import { batchSize, paths, type BlockNotice } from '../../protocol/protocol.gen'
import { executionOf } from './clients'
import { requestType } from './decide'
import { ask, Refused } from './server'
import type { Batch, VerdictReport } from './state.gen'

declare const self: ServiceWorkerGlobalScope

// The worker keeps this many verdicts while the server does not accept them. Beyond that it
// drops the least important first, and tells the server how many.
const kept = 2_000
// No page waits for these requests. A server that reads them slowly still has them, so sending
// them again too early would log them twice.
const deadline = 120_000 // milliseconds
// URLs and methods in the log are cut to these lengths. A page can make them arbitrarily long,
// and a request that the server rejects for its length would delay all others.
const urlLength = 2_048 // characters
const methodLength = 64
// Verdicts on virtual files wait until no other has come for the first of these times, and not
// longer than the second. A page can load hundreds of files. Each request with verdicts takes
// processor time, and the page's next file waits for that.
const quiet = 50 // milliseconds
const gathering = 500 // milliseconds
// Firefox finds a client only once it is ready, as Service Workers says ("get a client"). A module
// worker never is if one of its imports never ends. Its verdicts wait so long, and then name no
// execution.
const readyIn = 2_000 // milliseconds

// A verdict waits together with the execution that its client may belong to.
interface Waiting {
  readonly verdict: Omit<VerdictReport, 'execution'>
  readonly execution: Promise<string>
}

let queue: Waiting[] = []
let droppedCount = 0

// Page code can request its own files as often as it likes. So a full queue drops those
// verdicts first, then allowed requests. It drops a block only if it holds nothing else.
type Rank = 'virtual' | 'allow' | 'block'

function rankOf(outcome: Pick<VerdictReport, 'action' | 'virtual'>): Rank {
  if (outcome.action === 'block') return 'block'
  return outcome.virtual ? 'virtual' : 'allow'
}

// makeRoom drops the oldest queued verdict of the lowest rank below the given one. It returns
// false if there is no such verdict.
function makeRoom(rank: Rank): boolean {
  for (const lower of ['virtual', 'allow'] as const) {
    if (lower === rank) return false
    const at = queue.findIndex(({ verdict }) => rankOf(verdict) === lower)
    if (at < 0) continue
    queue.splice(at, 1)
    return true
  }
  return false
}
let sending: Promise<void> | undefined
// hurry ends the gathering of verdicts, and another delays its end.
let hurry = (): void => {}
let another = (): void => {}

// An outcome is opaque only if it has the field.
type Outcome = Omit<VerdictReport, 'time' | 'method' | 'url' | 'destination' | 'type' | 'execution' | 'opaque'> & Partial<Pick<VerdictReport, 'opaque'>>

// record queues a verdict and keeps the worker awake until it has been sent.
export function record(event: FetchEvent, outcome: Outcome): void {
  if (queue.length >= kept) {
    droppedCount++
    if (!makeRoom(rankOf(outcome))) return
  }
  const verdict = {
    time: new Date().toISOString(),
    method: event.request.method.slice(0, methodLength),
    url: event.request.url.slice(0, urlLength),
    destination: event.request.destination,
    type: requestType(event.request.destination, event.request.mode) ?? '',
    virtual: outcome.virtual,
    status: outcome.status,
    opaque: outcome.opaque ?? false,
    revision: outcome.revision,
    action: outcome.action,
    rule: outcome.rule,
    code: outcome.code,
    reason: outcome.reason,
    file: outcome.file,
    line: outcome.line,
  }
  queue.push({ verdict, execution: executionOf(event.clientId) })
  event.waitUntil(transmit())
  if (rankOf(outcome) === 'virtual') another()
  else hurry()
}

// settled waits until each verdict has been sent, and returns false if that failed.
export async function settled(): Promise<boolean> {
  while (sending !== undefined) {
    hurry()
    await sending
  }
  // The server may now accept verdicts that it did not accept before.
  if (unsent()) await transmit()
  return !unsent()
}

function unsent(): boolean {
  return queue.length > 0 || droppedCount > 0
}

function transmit(): Promise<void> {
  sending ??= send().finally(() => (sending = undefined))
  return sending
}

// gather waits for more verdicts. Urgent ones wait only for one turn of the event loop, which sends
// those of one burst together.
function gather(): Promise<void> {
  return new Promise((resolve) => {
    hurry = () => setTimeout(resolve, 0)
    let last = 0
    another = () => (last = performance.now())
    const waits = (): void => {
      const left = last + quiet - performance.now()
      if (left > 0) setTimeout(waits, left)
      else resolve()
    }
    another()
    waits()
    const isUrgent = droppedCount > 0 || queue.length >= batchSize || queue.some(({ verdict }) => rankOf(verdict) !== 'virtual')
    setTimeout(resolve, isUrgent ? 0 : gathering)
  })
}

async function send(): Promise<void> {
  while (unsent()) {
    await gather()
    const waiting = queue.splice(0, batchSize)
    const dropped = droppedCount
    droppedCount = 0
    const unready = new Promise<string>((resolve) => setTimeout(resolve, readyIn, ''))
    const verdicts = await Promise.all(waiting.map(async ({ verdict, execution }) => ({ ...verdict, execution: await Promise.race([execution, unready]) })))
    const batch: Batch = { dropped, verdicts }
    try {
      await ask(paths.verdicts, { method: 'POST', body: JSON.stringify(batch), deadline })
    } catch (error) {
      if (error instanceof Refused) {
        // Whatever is wrong with these verdicts, the next ones must not wait for them.
        droppedCount += dropped + waiting.length
        if (waiting.length > 0) continue
        return
      }
      // They are kept until the next verdict is sent. The oldest come first again.
      queue = [...waiting, ...queue]
      droppedCount += dropped
      return
    }
  }
}

// warn tells the page that made a blocked request, so that its console shows the reason.
export async function warn(event: FetchEvent, verdict: Pick<VerdictReport, 'rule' | 'code' | 'reason' | 'file' | 'line'>): Promise<void> {
  const client = await self.clients.get(event.clientId)
  const notice: BlockNotice = {
    kind: 'blocked',
    method: event.request.method.slice(0, methodLength),
    url: event.request.url.slice(0, urlLength),
    rule: verdict.rule, code: verdict.code, reason: verdict.reason, file: verdict.file, line: verdict.line,
  }
  client?.postMessage(notice)
}
