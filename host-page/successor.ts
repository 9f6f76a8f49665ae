// Following a restart of the server. This page shows the previous server's sandbox, so
// it is reloaded: the grants, the policy's name, and the program itself may have
// changed.
import type { Event, StateMessage } from '../protocol/protocol.gen'
import { data } from './data'

let removed = false

// note records that the sandbox was removed. After that, the page keeps its lists.
export function note(event: Event): void {
  removed ||= event.type === 'lifecycle' && event.step === 'removed'
}

// isOver reports whether the server has another sandbox in this page's place. The page
// at / shows whichever sandbox the server has; any other address belongs to one
// sandbox.
export function isOver({ code, incarnation }: StateMessage): boolean {
  if (code === 'sandbox-gone') return location.pathname === '/' && !removed
  return incarnation !== data.incarnation
}
