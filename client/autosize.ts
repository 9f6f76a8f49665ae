// Following the height that a document reports. That height may depend on the
// element's: a part of 100vh with a margin grows with each step, and other documents
// grow and shrink in turn. Nothing that the document reports can distinguish such a
// loop from text that grows as it is written, because untrusted code makes the reports.
// So the element experiments: after many steps without a rest it keeps its height, and
// looks whether the document continues by itself.
//
// Minimum and maximum are the min-height and max-height in the page's own style sheet.
// The browser applies them, in every unit and media query. Attributes could express
// less.

const rest = 1_000 // milliseconds without another height
// After this many steps without a rest, the experiment begins.
const stepLimit = 10
// A document that reports this many heights while the element keeps its own moves by
// itself. A loop reports one or two, in answer to the last step.
const moveLimit = 3
// This many experiments in a row without movement show a loop.
const stillLimit = 4
// No document may turn from growing to shrinking and back this often without a rest:
// the page around it would jump all the time.
const turnLimit = 20

export class Autosize {
  private height = 0
  private newest = 0
  private direction = 0
  private steps = 0
  private turns = 0
  private moves = 0
  private still = 0
  private timer: ReturnType<typeof setTimeout> | undefined
  private stopped = false

  // apply sets the element's height. looped is called once, when that height is final.
  constructor(private readonly apply: (height: number) => void, private readonly looped: (height: number) => void) {}

  told(height: number): void {
    if (this.stopped || height === this.newest) return
    this.newest = height
    this.expectRest()
    if (this.steps >= stepLimit) {
      if (++this.moves < moveLimit) return
      this.steps = this.still = 0
    }
    this.step()
  }

  // stop ends the following: the element has another height, or none.
  stop(): void {
    this.stopped = true
    clearTimeout(this.timer)
  }

  private step(): void {
    this.moves = 0
    if (this.newest === this.height) return
    const direction = Math.sign(this.newest - this.height)
    if (direction === -this.direction) this.turns++
    this.direction = direction
    this.height = this.newest
    this.steps++
    this.apply(this.height)
    if (this.turns >= turnLimit) this.loops()
  }

  private expectRest(): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.rested(), rest)
  }

  private rested(): void {
    if (this.newest === this.height) {
      this.steps = this.turns = this.still = 0
      this.direction = 0
    } else if (++this.still < stillLimit) {
      this.expectRest()
      this.step()
    } else {
      this.loops()
    }
  }

  private loops(): void {
    this.stop()
    this.looped(this.height)
  }
}
