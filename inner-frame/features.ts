// Reporting what the browser refuses a page, other than requests.
import type { Feature, Place } from '../protocol/protocol.gen'
import type { Report } from './errors'
import { callerOf } from './caller'
import { cut } from './text'

// refused reports the use of a feature that the page lacks. target is the URL, or the
// name of the function that was called. target may throw if the page has replaced
// something.
export function refused(report: Report, feature: Feature, target: () => string, place: Place): void {
  report(() => ({ kind: 'violation', target: cut(target()), directive: feature, ...place }))
}

// placeOf returns where the page called here, as far as the stack shows it.
export function placeOf(here: Callable): Place {
  try {
    return callerOf(here)
  } catch {
    return {} // The page has replaced what reading a stack needs.
  }
}

export type Callable = (...values: unknown[]) => unknown

// wrapped returns a function that passes its calls to call. To the page it looks like
// native: same name, length, and text. here is the function that stands for it in a
// stack.
export function wrapped(native: Callable, call: (self: unknown, values: unknown[], here: Callable) => unknown): Callable {
  const apply = (_: unknown, self: unknown, values: unknown[]): unknown => call(self, values, apply as Callable)
  return new Proxy<Callable>(native, { apply })
}
