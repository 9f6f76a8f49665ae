// The worker of one execution at the sandbox's origin: imports the code from its own
// address, and waits for its verdicts before the result goes.
import { execution, paths } from '../protocol/protocol.gen'
import type { Execution } from './data.gen'
import { perform } from './perform'

declare const bellglassExecution: Execution

// The verdicts of what the code asked for are told by then, or the result goes first.
const settleDeadline = 5_000 // milliseconds

const { id, args, resultLimit } = bellglassExecution
const path = `${paths.execution}${id}/`
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
