// Telling what the browser refuses a page beside requests.
import type { Feature, Place } from '../protocol/protocol.gen'
import type { Report } from './errors'
import { callerOf } from './place'
import { cut } from './text'

// refused reports the use of a feature that the page does not have. target is the URL, or
// the name of what was called. What the page has replaced may throw there.
export function refused(report: Report, feature: Feature, target: () => string, place: Place): void {
  report(() => ({ kind: 'violation', target: cut(target()), directive: feature, ...place }))
}

// placeOf is where the page called here, as far as that can be seen.
export function placeOf(here: Callable): Place {
  try {
    return callerOf(here)
  } catch {
    return {} // The page has replaced what a stack is read with.
  }
}

export type Callable = (...values: unknown[]) => unknown

// wrapped is a function that hands its calls to call. To the page it is the function
// itself: by its name, its length and its text. here is what stands for it in a stack.
export function wrapped(native: Callable, call: (self: unknown, values: unknown[], here: Callable) => unknown): Callable {
  const apply = (_: unknown, self: unknown, values: unknown[]): unknown => call(self, values, apply as Callable)
  return new Proxy<Callable>(native, { apply })
}
