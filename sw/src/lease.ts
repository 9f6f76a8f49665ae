// How long the worker may rely on what the server said.

// A Moment is the time by two clocks. One clock may stop while the machine sleeps, and the
// other may be set.
interface Moment {
  readonly wall: number
  readonly steady: number
}

export function moment(): Moment {
  return { wall: Date.now(), steady: performance.now() }
}

// since returns the milliseconds that have passed, by the clock that shows more. If a clock
// was set back, the time is unknown, and since returns Infinity.
function since(then: Moment): number {
  const wall = Date.now() - then.wall
  const steady = performance.now() - then.steady
  return wall < 0 || steady < 0 ? Infinity : Math.max(wall, steady)
}

// A Lease lasts for length milliseconds from a moment. A Lease made without arguments has
// expired.
export class Lease {
  constructor(private readonly from: Moment = { wall: 0, steady: 0 }, private readonly length = 0) {}

  holds(): boolean {
    return since(this.from) < this.length
  }

  // orLater returns the lease that lasts longer. A length of NaN counts as no lease.
  orLater(from: Moment, length: number): Lease {
    const other = new Lease(from, length)
    return other.left() > this.left() ? other : this
  }

  private left(): number {
    return this.length - since(this.from)
  }
}
