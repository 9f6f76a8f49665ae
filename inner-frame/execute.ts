// The worker of one execution at the sandbox's origin. It imports the code from its own
// address, and waits for the verdicts on the code's requests before it sends the
// result.
import { execution, paths } from '../protocol/protocol.gen'
import type { Execution } from './data.gen'
import { perform } from './perform'

declare const bellglassExecution: Execution

// How long to wait for the verdicts before sending the result without them.
const settleDeadline = 5_000 // milliseconds

const { address, args, resultLimit } = bellglassExecution
const path = `${paths.execution}${address}/`
const { fetch } = globalThis
const timeout = AbortSignal.timeout.bind(AbortSignal)

addEventListener('message', (event) => {
  const [port] = event.ports
  if (port === undefined) return
  void perform(port, {
    args, resultLimit, load: () => import(`${path}${execution.code}`),
    settle: () => fetch(`${path}${execution.settle}`, { cache: 'no-store', signal: timeout(settleDeadline) }),
  })
}, { once: true })
