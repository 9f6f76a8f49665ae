// Following a server that was started anew. What this page shows is the sandbox of the
// server before, so it is loaded again: what is granted, the policy's name and the
// program itself can be others now.
import type { Event, StateMessage } from '../protocol/protocol.gen'
import { data } from './data'

let removed = false

// note remembers that the sandbox was removed, after which its lists are all there is.
export function note(event: Event): void {
  removed ||= event.type === 'lifecycle' && event.step === 'removed'
}

// isOver: the server has another sandbox in this page's place. The page at / shows
// whichever one the server has; any other address is of one sandbox alone.
export function isOver({ code, incarnation }: StateMessage): boolean {
  if (code === 'sandbox-gone') return location.pathname === '/' && !removed
  return incarnation !== data.incarnation
}
