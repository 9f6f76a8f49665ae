// The outcome of a request, as a person understands it. The verdict alone does not say:
// an allowed request can fail.
import type { AnswerCode, VerdictEvent, ViolationEvent } from '../protocol/protocol.gen'
import type { Icon } from './dom'

export type Request = VerdictEvent | ViolationEvent

const notFound: AnswerCode = 'not-found'

export type Outcome = 'allow' | 'fail' | 'missing' | 'block'

export const outcomes: Readonly<Record<Outcome, { readonly word: string; readonly icon: Icon }>> = {
  allow: { word: 'Allowed', icon: 'allow' },
  fail: { word: 'Failed', icon: 'warn' },
  missing: { word: 'Not found', icon: 'missing' },
  block: { word: 'Blocked', icon: 'block' },
}

// outcomeOf agrees with VerdictEvent.Failed in Go.
export function outcomeOf(request: Request): Outcome {
  if (request.action === 'block' || request.type === 'violation') return 'block'
  if (request.opaque === true || (request.status > 0 && request.status < 400)) return 'allow'
  return request.virtual && request.code === notFound ? 'missing' : 'fail'
}
