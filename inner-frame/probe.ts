// Served with Connection-Allowlist: (), this document may connect to nothing.
// If its fetch arrives all the same, the browser does not know the header.
import { paths } from '../protocol/protocol.gen'
import type { ProbeResult } from './containment'

function tell(reached: boolean): void {
  const result: ProbeResult = { kind: 'probe', reached }
  parent.postMessage(result, location.origin)
}

fetch(paths.probeTarget, { cache: 'no-store' }).then(
  () => tell(true),
  () => tell(false),
)
