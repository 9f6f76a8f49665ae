// The prelude of each dedicated and shared worker's script. The service worker inserts
// it before the script, so it runs before the script's own lines. What a module imports
// runs even earlier.
//
// A worker cannot reach the outer frame, so it reports to the server itself. It shares
// its realm with untrusted code: everything it reports is the page's word.
import { batchSize, paths, type PageReport, type Reports } from '../protocol/protocol.gen'
import { watchConsole } from './console'
import { watchErrors, watchRejections, watchViolations } from './errors'

const kept = 1_000 // reports that wait for the next request
// A request that outlives its worker may carry 64 KiB (Fetch, section 4.6).
const outliving = 60_000 // characters of ASCII

const { fetch, setTimeout } = globalThis
const { stringify } = JSON
let waiting: PageReport[] = []
let missing = 0
let busy = false
// The policy of an MCP App keeps workers from this origin's server. A report is then
// refused, and the next one would report that refusal.
let refused = false

const report = (make: () => PageReport): void => {
  if (refused) return
  try {
    if (waiting.length < kept) waiting.push(make())
    else missing++
  } catch {
    missing++ // The code has replaced what a report is made with.
  }
  if (busy) return
  busy = true
  setTimeout(() => void send(), 0)
}

async function send(): Promise<void> {
  while (waiting.length > 0 || missing > 0) {
    const batch: Reports = { dropped: missing, reports: waiting.slice(0, batchSize) }
    waiting = waiting.slice(batchSize)
    missing = 0
    const body = stringify(batch)
    try {
      const response = await fetch(paths.realm, { method: 'POST', body, keepalive: body.length < outliving })
      if (response.ok) continue
    } catch {
      // Counted, and reported with the next report.
    }
    missing = batch.dropped + batch.reports.length
    break
  }
  busy = false
}

addEventListener('securitypolicyviolation', ({ blockedURI }) => { refused ||= blockedURI === location.origin + paths.realm })
watchConsole(report)
watchRejections(report)
watchViolations(report)
// The document that created a dedicated worker receives its errors and reports them.
if ('SharedWorkerGlobalScope' in globalThis) watchErrors(report)
