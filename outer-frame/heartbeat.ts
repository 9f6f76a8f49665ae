// Detecting that the process of a frame has ended. No browser tells a page so: no event
// is fired, and messages are no longer answered (measured in Chromium 156). A document
// that is merely busy does not answer either, but may continue.
//
// So a second frame of the same origin is asked, too. The browser puts it into the same
// process. There it cannot answer before the busy document has had a turn. If the
// process has ended, the second frame gets a new one and answers alone. Times prove
// nothing, because a machine can be slow.
import { paths, type Ping } from '../protocol/protocol.gen'
import { data } from './data'
import { readFrameMessage, readSign } from './messages'

const interval = 1_000 // milliseconds from an answer to the next question
const patience = 2_000 // milliseconds
// How often the second frame must answer before the first one counts as ended.
const answers = 3

export class Heartbeat {
  private timer: ReturnType<typeof setTimeout> | undefined
  private stopped = false
  private probe: HTMLIFrameElement | undefined
  private answered = 0
  private readonly hear = (event: MessageEvent<unknown>): void => {
    if (event.source === null || event.source !== this.probe?.contentWindow || event.origin !== data.inner) return
    const boot = readFrameMessage(event.data)
    if (boot?.kind === 'boot' && boot.phase === 'ready') {
      this.ask()
      this.askProbe()
    } else if (readSign(event.data)?.kind === 'pong') {
      if (++this.answered < answers) this.wait(interval, () => this.askProbe())
      else this.end()
    }
  }

  // ask sends the question; its answer calls heard. crashed is called once, when no
  // answer will come any more.
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

  // stop ends the checks: the frame is gone, or is no longer watched.
  stop(): void {
    this.stopped = true
    this.bury()
    clearTimeout(this.timer)
  }

  private wait(milliseconds: number, then: () => void): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(then, milliseconds)
  }

  private end(): void {
    this.stop()
    this.crashed()
  }

  // look creates the second frame. Once it has reported that it is ready, it is asked.
  private look(): void {
    this.answered = 0
    addEventListener('message', this.hear)
    this.probe = document.createElement('iframe')
    this.probe.hidden = true
    if (data.sandbox !== null) this.probe.setAttribute('sandbox', data.sandbox)
    this.probe.src = data.inner + paths.run
    document.body.append(this.probe)
  }

  private askProbe(): void {
    const ping: Ping = { kind: 'ping' }
    this.probe?.contentWindow?.postMessage(ping, data.inner)
  }

  private bury(): void {
    removeEventListener('message', this.hear)
    this.probe?.remove()
    this.probe = undefined
  }
}
