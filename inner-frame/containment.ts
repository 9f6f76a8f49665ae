// What does this browser really enforce? Asked before any untrusted code runs.
import { paths, type Containment } from '../protocol/protocol.gen'
import { within } from './deadline'

export interface ProbeResult {
  readonly kind: 'probe'
  readonly reached: boolean
  // webRTC: there are peer connections, which no policy is known to hold.
  readonly webRTC: boolean
}

const probeDeadline = 5_000 // milliseconds

// probe claims 'allowlist' only when both halves were seen: this page, whose
// allowlist names its own origin, reached the target, and the probe document,
// whose allowlist is empty, did not. 'full' takes a browser without WebRTC
// besides: Chromium 156 drops the servers and candidates that script adds to a
// peer connection, and not those in the text of a session description
// (tests/escape, rows transport/description-*). Any doubt is 'csp', which claims
// least.
export async function probe(): Promise<Containment> {
  const frame = document.createElement('iframe')
  frame.hidden = true
  frame.src = paths.probe
  try {
    const answer = new Promise<ProbeResult>((resolve) => {
      addEventListener('message', (event: MessageEvent<unknown>) => {
        if (event.source === frame.contentWindow && isResult(event.data)) resolve(event.data)
      })
    })
    document.body.append(frame)
    const [control, found] = await within(probeDeadline, Promise.all([
      fetch(paths.probeTarget, { cache: 'no-store' }).then((response) => response.ok),
      answer,
    ]))
    if (!control || found.reached) return 'csp'
    return found.webRTC ? 'allowlist' : 'full'
  } catch {
    return 'csp'
  } finally {
    frame.remove()
  }
}

function isResult(data: unknown): data is ProbeResult {
  return typeof data === 'object' && data !== null && 'kind' in data && data.kind === 'probe' && 'reached' in data && typeof data.reached === 'boolean' && 'webRTC' in data && typeof data.webRTC === 'boolean'
}
