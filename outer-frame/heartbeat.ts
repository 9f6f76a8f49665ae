// Is what runs in a frame still there? No browser tells a page that the process of a
// frame has ended: no event comes, and nothing is answered any longer (measured in
// Chromium 156). A document that is merely busy does not answer either, and may go on.
//
// So silence is looked into by another frame of the same origin. The browser puts it
// into the same process, where it begins when the busy document has a turn, and by then
// that has answered, too. A process that has ended cannot: the frame begins in a new one,
// and the silence lasts.
import { paths } from '../protocol/protocol.gen'
import { data } from './data'

const interval = 1_000 // milliseconds, from an answer to the next question
const patience = 2_000 // milliseconds

export class Heartbeat {
  private timer: ReturnType<typeof setTimeout> | undefined
  private stopped = false
  private probe: HTMLIFrameElement | undefined
  private readonly begun = (event: MessageEvent<unknown>): void => {
    if (event.source === null || event.source !== this.probe?.contentWindow || event.origin !== data.inner) return
    this.bury()
    this.ask()
    this.wait(patience, this.crashed)
  }

  // ask puts the question, to which heard is the answer; crashed is called once when there
  // will be none any more.
  constructor(private readonly ask: () => void, private readonly crashed: () => void) {
    this.heard()
  }

  heard(): void {
    if (this.stopped) return
    this.bury()
    this.wait(interval, () => {
      this.ask()
      this.wait(patience, () => this.look())
    })
  }

  // stop is the end: what is watched is gone, or goes on its own.
  stop(): void {
    this.stopped = true
    this.bury()
    clearTimeout(this.timer)
  }

  private wait(milliseconds: number, then: () => void): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(then, milliseconds)
  }

  // look makes the other frame. Its page says that it has begun, and is taken away.
  private look(): void {
    addEventListener('message', this.begun)
    this.probe = document.createElement('iframe')
    this.probe.hidden = true
    if (data.sandbox !== null) this.probe.setAttribute('sandbox', data.sandbox)
    this.probe.src = data.inner + paths.run
    document.body.append(this.probe)
  }

  private bury(): void {
    removeEventListener('message', this.begun)
    this.probe?.remove()
    this.probe = undefined
  }
}
