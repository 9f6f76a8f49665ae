// What each execution does: it loads the code, calls it, and reports the outcome on a
// port.
//
// It shares its realm with that code, which can stop it or imitate it. It takes what it
// needs from the globals before the code is loaded, so that code that merely patches
// them does not break it by accident.
import type { Failure, Outcome, PageReport, Reports } from '../protocol/protocol.gen'
import { watchConsole } from './console'
import { stackOf, watchErrors, watchRejections, watchViolations } from './errors'
import { serialize, TooLargeError, UnserializableError } from './serialize'
import { cut, text } from './text'

export interface Performance {
  // args is JSON text, or '' if there are none.
  readonly args: string
  readonly resultLimit: number // bytes
  // load returns the module.
  readonly load: () => Promise<unknown>
  // api is the second argument of the code's function.
  readonly api?: object
  // settle waits for everything that must be reported before the result.
  readonly settle?: () => Promise<unknown>
}

// Further reports are only counted.
const reportLimit = 1_000

export async function perform(port: MessagePort, { args, resultLimit, load, api, settle }: Performance): Promise<void> {
  const post = port.postMessage.bind(port)
  let told = 0
  // Send each report at once: code that never ends has no later task.
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
  const ended = await finished(args, resultLimit, load, api)
  const outcome: Outcome = { kind: 'outcome', ...ended, dropped: Math.max(0, told - reportLimit - 1) }
  try {
    await settle?.()
  } catch {
    // What is not reported by then is in the log anyway.
  }
  post(outcome)
}

async function finished(args: string, resultLimit: number, load: () => Promise<unknown>, api?: object): Promise<{ readonly result: string; readonly failure?: Failure }> {
  try {
    const value = ((await load()) as { readonly default?: unknown }).default
    const given: unknown = args === '' ? undefined : JSON.parse(args)
    const result: unknown = await (typeof value === 'function' ? (value as (...given: unknown[]) => unknown)(...(api === undefined ? [given] : [given, api])) : value)
    return { result: serialize(result, resultLimit) }
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
    // The error's own getter threw.
  }
  return { code: 'threw', name: '', message: text([error]), stack: '' }
}
