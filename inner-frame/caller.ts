// Where a console line was written, read from a stack.
import type { Place } from '../protocol/protocol.gen'

// callerOf returns the frame above the given function. V8 can cut the stack there;
// elsewhere the caller is on the second line. Both formats end a line with
// URL:line:column, which V8 puts into parentheses if the function has a name.
export function callerOf(self: (...values: unknown[]) => void): Place {
  const holder: { stack?: unknown } = {}
  let index = 1
  if ('captureStackTrace' in Error && typeof Error.captureStackTrace === 'function') {
    Error.captureStackTrace(holder, self)
  } else {
    holder.stack = new Error().stack
    index = 2
  }
  if (typeof holder.stack !== 'string') return {}
  let frame = holder.stack.split('\n')[index]?.trim() ?? ''
  if (frame.endsWith(')')) frame = frame.slice(frame.lastIndexOf('(') + 1, -1)
  else if (frame.startsWith('at ')) frame = frame.slice(3)
  else frame = frame.slice(frame.indexOf('@') + 1)
  const column = frame.lastIndexOf(':')
  const line = frame.lastIndexOf(':', column - 1)
  if (line < 0) return {}
  const place = { url: frame.slice(0, line), line: Number(frame.slice(line + 1, column)), col: Number(frame.slice(column + 1)) }
  return Number.isInteger(place.line) && Number.isInteger(place.col) ? place : {}
}
