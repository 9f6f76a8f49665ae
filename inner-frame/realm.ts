// The prelude of each dedicated and shared worker's script. The service worker puts it
// ahead of the script, so that it runs before any of the script's own lines; what a
// module imports runs before it.
//
// A worker cannot reach the outer frame, so it tells the server itself. It shares its
// world with untrusted code: all that it says is the word of the page.
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
// The policy of an MCP App keeps workers from this origin's server. A request to it is then
// refused, and the refusal would be told by the next one.
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
      // Counted, and told with the next that there is.
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
// An error of a dedicated worker reaches the document that has made it, which tells it.
if ('SharedWorkerGlobalScope' in globalThis) watchErrors(report)
