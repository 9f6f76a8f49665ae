// What does this browser really enforce? Asked before any untrusted code runs.
import { paths, type Containment } from '../protocol/protocol.gen'
import { within } from './deadline'

export interface ProbeResult {
  readonly kind: 'probe'
  readonly reached: boolean
}

const probeDeadline = 5_000 // milliseconds

// probe claims 'full' only when both halves were seen: this page, whose
// allowlist names its own origin, reached the target, and the probe document,
// whose allowlist is empty, did not. Any doubt is 'csp', which claims less.
export async function probe(): Promise<Containment> {
  const frame = document.createElement('iframe')
  frame.hidden = true
  frame.src = paths.probe
  try {
    const answer = new Promise<boolean>((resolve) => {
      addEventListener('message', (event: MessageEvent<unknown>) => {
        if (event.source === frame.contentWindow && isResult(event.data)) resolve(event.data.reached)
      })
    })
    document.body.append(frame)
    const [control, reached] = await within(probeDeadline, Promise.all([
      fetch(paths.probeTarget, { cache: 'no-store' }).then((response) => response.ok),
      answer,
    ]))
    return control && !reached ? 'full' : 'csp'
  } catch {
    return 'csp'
  } finally {
    frame.remove()
  }
}

function isResult(data: unknown): data is ProbeResult {
  return typeof data === 'object' && data !== null && 'kind' in data && data.kind === 'probe' && 'reached' in data && typeof data.reached === 'boolean'
}
