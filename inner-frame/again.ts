// Loading a document again that came from the server, not from the worker. How
// often that has happened is marked in the history entry, the one memory that
// survives the load and ends with the view. The document that comes of it takes
// the mark away, so that the count is of one attempt and not of the view's life.

interface Mark {
  readonly kind: 'bellglass-boot'
  readonly count: number
  // When the load was asked for, in milliseconds since 1970.
  readonly asked: number
  // What the page itself keeps in this entry.
  readonly was: unknown
}

const limit = 3
// A load begins at once when it is asked for. One that begins later is another
// attempt: an image, for instance, has no script that could take the mark away.
const atOnce = 5_000 // milliseconds

// loadAgain loads this document again, or returns false if that has helped
// nothing several times.
export function loadAgain(): boolean {
  const mark = readMark(history.state)
  const count = mark !== undefined && performance.timeOrigin - mark.asked < atOnce ? mark.count : 0
  if (!(count < limit)) return false
  const next: Mark = { kind: 'bellglass-boot', count: count + 1, asked: Date.now(), was: mark === undefined ? history.state : mark.was }
  history.replaceState(next, '')
  location.reload()
  return true
}

// arrived gives the entry back to the page, which is there now.
export function arrived(): void {
  const mark = readMark(history.state)
  if (mark !== undefined) history.replaceState(mark.was, '')
}

function readMark(state: unknown): Mark | undefined {
  return typeof state === 'object' && state !== null && 'kind' in state && state.kind === 'bellglass-boot' ? (state as Mark) : undefined
}
