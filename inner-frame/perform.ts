// What each execution does: loads the code, calls it, and says what became of it on a
// port.
//
// It shares its world with that code, which can stop it or speak in its place. It
// takes what it needs from the globals before the code is there, so that code which
// merely patches them does not break it by accident.
import type { Failure, Finish, PageReport, Reports } from '../protocol/protocol.gen'
import { watchConsole } from './console'
import { stackOf, watchErrors, watchRejections, watchViolations } from './errors'
import { serialise, TooLargeError, UnserializableError } from './serialise'
import { cut, text } from './text'

export interface Performance {
  // args is JSON text, or '' for none.
  readonly args: string
  readonly resultLimit: number // bytes
  // load gives the module.
  readonly load: () => Promise<unknown>
  // api is the second argument of the code's function.
  readonly api?: object
  // settle waits for what has to be told before the result.
  readonly settle?: () => Promise<unknown>
}

// Beyond this many reports the others are only counted.
const reportLimit = 1_000

export async function perform(port: MessagePort, { args, resultLimit, load, api, settle }: Performance): Promise<void> {
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
  const outcome = await finished(args, resultLimit, load, api)
  const finish: Finish = { kind: 'finish', ...outcome, dropped: Math.max(0, told - reportLimit - 1) }
  try {
    await settle?.()
  } catch {
    // What is not told by then is in the log all the same.
  }
  post(finish)
}

async function finished(args: string, resultLimit: number, load: () => Promise<unknown>, api?: object): Promise<{ readonly result: string; readonly failure?: Failure }> {
  try {
    const value = ((await load()) as { readonly default?: unknown }).default
    const given: unknown = args === '' ? undefined : JSON.parse(args)
    const result: unknown = await (typeof value === 'function' ? (value as (...given: unknown[]) => unknown)(...(api === undefined ? [given] : [given, api])) : value)
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
