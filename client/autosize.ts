// Following the height that a document tells. It may depend on the height of the element:
// a part of 100vh with a margin grows with each step, and others grow and shrink in turn.
// No word of the document tells such a loop from a text that grows as it is written, for
// that word is the word of untrusted code. So the element makes an experiment: after many
// steps without a rest it keeps its height and looks whether the document goes on by itself.
//
// Minimum and maximum are the min-height and max-height of the page's own style sheet:
// the browser applies them, in every unit and media query. Attributes could say less.

const rest = 1_000 // milliseconds without another height
// So many steps without a rest begin the experiment.
const stepLimit = 10
// So many heights that are told while the element keeps its own show a document that moves
// by itself. A loop tells one or two, in answer to the last step.
const moveLimit = 3
// So many experiments in a row in which nothing moved show a loop.
const stillLimit = 4
// So many turns from growing to shrinking and back, without a rest, are too many for any
// document: the page around it would jump all the time.
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

  // apply sets the element's height. looped is called once, when that height stays.
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

  // stop ends it: the element has another height, or none.
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
