// How long what the server said may be counted on.

// A Moment is the time by two clocks. One of them may stand while the machine
// sleeps, and the other may be set.
interface Moment {
  readonly wall: number
  readonly steady: number
}

export function moment(): Moment {
  return { wall: Date.now(), steady: performance.now() }
}

// since is the milliseconds since then by the clock that says more. If one was set
// back nobody knows, and it is for ever.
function since(then: Moment): number {
  const wall = Date.now() - then.wall
  const steady = performance.now() - then.steady
  return wall < 0 || steady < 0 ? Infinity : Math.max(wall, steady)
}

// A Lease lasts some milliseconds from a moment. Made without any it is over.
export class Lease {
  constructor(private readonly from: Moment = { wall: 0, steady: 0 }, private readonly length = 0) {}

  holds(): boolean {
    return since(this.from) < this.length
  }

  // orLater gives whichever of two leases lasts longer. A length that is no number
  // is none.
  orLater(from: Moment, length: number): Lease {
    const other = new Lease(from, length)
    return other.left() > this.left() ? other : this
  }

  private left(): number {
    return this.length - since(this.from)
  }
}
