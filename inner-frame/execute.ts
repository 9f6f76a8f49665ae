// The worker of one execution: imports the code, calls it, and says what became of
// it on the port that it was given.
//
// It shares its world with that code, which can stop it or speak in its place. It
// takes what it needs from the globals before the code is there, so that code which
// merely patches them does not break it by accident.
import { execution, paths, type Failure, type Finish, type PageReport, type Reports } from '../protocol/protocol.gen'
import { watchConsole } from './console'
import { stackOf, watchErrors, watchRejections, watchViolations } from './errors'
import { serialise, TooLargeError, UnserializableError } from './serialise'
import { cut, text } from './text'

declare const bellglassExecution: {
  readonly id: string
  // args is JSON text, or '' for none.
  readonly args: string
  readonly resultLimit: number // bytes
}

// Beyond this many reports the others are only counted.
const reportLimit = 1_000
// The verdicts of what the code asked for are told by then, or the result goes first.
const settleDeadline = 5_000 // milliseconds

const { id, args, resultLimit } = bellglassExecution
const path = `${paths.execution}${id}/`
const { fetch } = globalThis
const timeout = AbortSignal.timeout.bind(AbortSignal)

addEventListener('message', (event) => {
  const [port] = event.ports
  if (port !== undefined) void run(port)
}, { once: true })

async function run(port: MessagePort): Promise<void> {
  const post = port.postMessage.bind(port)
  let told = 0
  // Each report goes at once: code that does not end has no turn after this one.
  const report = (make: () => PageReport): void => {
    if (++told > reportLimit + 1) return
    const dropped: Reports = { reports: [], dropped: 1 }
    try {
      const batch: Reports = told > reportLimit ? dropped : { reports: [make()], dropped: 0 }
      post(batch)
    } catch {
      post(dropped) // The code has replaced what a report is made with.
    }
  }
  watchConsole(report)
  watchErrors(report)
  watchRejections(report)
  watchViolations(report)
  const outcome = await finished()
  const finish: Finish = { kind: 'finish', ...outcome, dropped: Math.max(0, told - reportLimit - 1) }
  await settle()
  post(finish)
}

async function finished(): Promise<{ readonly result: string; readonly failure?: Failure }> {
  try {
    const module = (await import(`${path}${execution.code}`)) as { readonly default?: unknown }
    const value = module.default
    const given: unknown = args === '' ? undefined : JSON.parse(args)
    const result: unknown = await (typeof value === 'function' ? (value as (args: unknown) => unknown)(given) : value)
    return { result: serialise(result, resultLimit) }
  } catch (error) {
    return { result: '', failure: failureOf(error) }
  }
}

function failureOf(error: unknown): Failure {
  if (error instanceof UnserializableError) return { code: 'unserializable', name: 'Error', message: cut(error.message), stack: '' }
  if (error instanceof TooLargeError) return { code: 'result-too-large', name: 'Error', message: cut(error.message), stack: '' }
  try {
    if (error instanceof Error) return { code: 'threw', name: cut(error.name), message: cut(error.message), stack: stackOf(error) }
  } catch {
    // Its own getter threw.
  }
  return { code: 'threw', name: '', message: text([error]), stack: '' }
}

async function settle(): Promise<void> {
  try {
    await fetch(`${path}${execution.settle}`, { cache: 'no-store', signal: timeout(settleDeadline) })
  } catch {
    // What is not told by then is in the log all the same.
  }
}
