// Loading a document again that came from the server instead of the worker. The history
// entry counts how often that happened: it is the only memory that survives the load
// and ends with the view. The document that finally comes from the worker removes the
// mark, so the count is of one attempt, not of the view's life.

interface Mark {
  readonly kind: 'bellglass-boot'
  readonly count: number
  // When the load was requested, in milliseconds since 1970.
  readonly asked: number
  // The page's own state in this entry.
  readonly was: unknown
}

const limit = 3
// A reload starts as soon as it is requested. A later load is another attempt. For
// example, an image has no script that could remove the mark.
const atOnce = 5_000 // milliseconds

// loadAgain loads this document again. It returns false if that has failed to help
// several times.
export function loadAgain(): boolean {
  const mark = readMark(history.state)
  const count = mark !== undefined && performance.timeOrigin - mark.asked < atOnce ? mark.count : 0
  if (!(count < limit)) return false
  const next: Mark = { kind: 'bellglass-boot', count: count + 1, asked: Date.now(), was: mark === undefined ? history.state : mark.was }
  history.replaceState(next, '')
  location.reload()
  return true
}

// arrived gives the history entry back to the page, which has loaded.
export function arrived(): void {
  const mark = readMark(history.state)
  if (mark !== undefined) history.replaceState(mark.was, '')
}

function readMark(state: unknown): Mark | undefined {
  return typeof state === 'object' && state !== null && 'kind' in state && state.kind === 'bellglass-boot' ? (state as Mark) : undefined
}
