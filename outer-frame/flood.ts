// Counting messages. The outer frames of all sandboxes share a process, and a sandbox
// can post faster than this frame reads. Without a limit, no sandbox in the browser
// would make progress. Messages that were posted before the sender was removed are
// still dispatched (Chromium: 5,000 to 46,000), so each must cost next to nothing.

// The client script posts once for each task of its page that reported something.
// Timers allow at most 1,000 tasks a second.
const limit = 2_000
const span = 1_000 // milliseconds

export class Meter {
  // over: there were too many messages, and all further ones are ignored.
  over = false
  private count = 0
  private since = 0

  constructor(private readonly flooded: () => void) {}

  // passes counts a message, and reports whether it may be handled.
  passes(): boolean {
    if (this.over) return false
    if (++this.count <= limit) return true
    const now = performance.now()
    const before = this.since
    ;[this.count, this.since] = [0, now]
    if (now - before > span) return true
    this.over = true
    this.flooded()
    return false
  }
}

const told = 'bellglass-flood'

// isBelow reports whether the window is in a frame of this page, at any depth and of
// any origin.
export function isBelow(source: Window): boolean {
  for (let at = source; at.parent !== at; at = at.parent) if (at.parent === window) return true
  return false
}

// Strangers are the frames of other sandboxes on the same page, which can post messages
// here too. The outer frame of each is at this page's origin, and is told to end it.
export class Strangers {
  private readonly meters = new WeakMap<Window, Meter>()

  // heard counts a message from a window that is not below this page.
  heard(source: Window): void {
    const outer = outerOf(source)
    if (outer === undefined) return
    let meter = this.meters.get(outer)
    if (meter === undefined || meter.over) {
      meter = new Meter(() => outer.dispatchEvent(new Event(told)))
      this.meters.set(outer, meter)
    }
    meter.passes()
  }
}

// onToldOfFlood calls listener when a frame below this page has flooded another outer
// frame.
export function onToldOfFlood(listener: () => void): void {
  addEventListener(told, listener)
}

function outerOf(source: Window): Window | undefined {
  for (let at = source; at.parent !== at; at = at.parent) {
    try {
      if (at.parent.location.origin === location.origin) return at.parent
    } catch {
      // It is of another origin.
    }
  }
  return undefined
}
