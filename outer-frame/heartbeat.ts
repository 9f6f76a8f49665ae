// Is what runs in a frame still there? No browser tells a page that the process of a
// frame has ended: no event comes, and nothing is answered any longer (measured in
// Chromium 156). A document that is merely busy does not answer either, and may go on.
//
// So silence is looked into by another frame of the same origin, which is asked, too. The
// browser puts it into the same process, where it answers when the busy document has had
// a turn, and so not before that one. Where the process has ended the frame has a new one,
// and answers alone. How long either takes says nothing: a machine can be slow.
import { paths, type Ping } from '../protocol/protocol.gen'
import { data } from './data'
import { readFrameMessage, readSign } from './messages'

const interval = 1_000 // milliseconds, from an answer to the next question
const patience = 2_000 // milliseconds
// How often the other frame answers before the silence is taken for an end.
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

  private end(): void {
    this.stop()
    this.crashed()
  }

  // look makes the other frame. It says that it is ready, and is asked then.
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
