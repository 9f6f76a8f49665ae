// What does this browser really enforce? Asked before any untrusted code runs.
import { paths, type Containment } from '../protocol/protocol.gen'
import { within } from './deadline'

export interface ProbeResult {
  readonly kind: 'probe'
  readonly reached: boolean
}

const probeDeadline = 5_000 // milliseconds

// probe claims 'allowlist' only when both halves were seen: this page, whose
// allowlist names its own origin, reached the target, and the probe document,
// whose allowlist is empty, did not. Any doubt is 'csp', which claims least.
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
    return control && !found.reached ? 'allowlist' : 'csp'
  } catch {
    return 'csp'
  } finally {
    frame.remove()
  }
}

function isResult(data: unknown): data is ProbeResult {
  return typeof data === 'object' && data !== null && 'kind' in data && data.kind === 'probe' && 'reached' in data && typeof data.reached === 'boolean'
}
