// The page above this one.
import { version, type Active, type EventMessage, type Mismatch, type Shown, type Size, type StateMessage } from '../protocol/protocol.gen'
import { data } from './data'
import { readAskActive, readConnect, readLive, readMeasure, readReload } from './messages'

// Limits of the events that are kept until an embedder connects: how many, and how many
// characters together.
const kept = 2_000
const keptLength = 4 << 20
// The embedder lays out its page for each height that it receives.
const sizePause = 50 // milliseconds
const shownPause = 50 // milliseconds

export class Embedder {
  private port: MessagePort | undefined
  private lastState: StateMessage | undefined
  private waiting: { readonly message: EventMessage; readonly length: number }[] = []
  private waitingLength = 0

  private size: Size | undefined
  private lastShown: Shown | undefined
  private nextShown: Shown | undefined
  private resting = false

  constructor(private readonly reload: () => void, private readonly measure: (on: boolean) => void, private readonly live: (on: boolean) => void) {
    const connect = (event: MessageEvent<unknown>): void => {
      // Only the page directly above may connect, only from a listed origin, and only
      // once. From then on the port identifies it.
      if (event.source !== parent || parent === window || !data.embedders.includes(event.origin)) return
      const [port] = event.ports
      const message = readConnect(event.data)
      if (message === undefined || port === undefined) return
      removeEventListener('message', connect)
      if (message.kind === 'mismatch') {
        port.postMessage({ kind: 'mismatch', protocol: version } satisfies Mismatch)
        console.error(`Bellglass: the embedding page speaks protocol ${message.protocol}, this frame ${version}. Load both from the same server.`)
        return
      }
      this.open(port)
    }
    addEventListener('message', connect)
  }

  private open(port: MessagePort): void {
    this.port = port
    port.onmessage = (event: MessageEvent<unknown>) => {
      const measure = readMeasure(event.data)
      const live = readLive(event.data)
      if (measure !== undefined) this.measure(measure.on)
      else if (live !== undefined) this.live(live.on)
      else if (readReload(event.data) !== undefined) this.reload()
      else if (readAskActive(event.data) !== undefined) port.postMessage({ kind: 'active', active: isActive() } satisfies Active)
      else console.warn('Bellglass: an unknown message from the embedding page was ignored.')
    }
    if (this.lastState !== undefined) port.postMessage(this.lastState)
    if (this.lastShown !== undefined) port.postMessage(this.lastShown)
    for (const { message } of this.waiting) port.postMessage(message)
    this.waiting = []
    this.waitingLength = 0
  }

  state(message: StateMessage): void {
    this.lastState = message
    this.port?.postMessage(message)
  }

  // sized sends the newest height, after a pause in which others can arrive.
  sized(message: Size): void {
    const pending = this.size !== undefined
    this.size = message
    if (pending) return
    setTimeout(() => {
      this.port?.postMessage(this.size)
      this.size = undefined
    }, sizePause)
  }

  // shown sends what the view shows. Page code can change its address without end, so a pause
  // follows each message. A document that has begun in the pause is not forgotten.
  shown(message: Shown): void {
    if (this.resting) {
      this.nextShown = this.nextShown?.manner === 'document' ? { ...message, manner: 'document' } : message
      return
    }
    this.lastShown = message
    this.port?.postMessage(message)
    this.resting = true
    setTimeout(() => {
      this.resting = false
      const { nextShown } = this
      this.nextShown = undefined
      if (nextShown !== undefined) this.shown(nextShown)
    }, shownPause)
  }

  event(message: EventMessage, length: number): void {
    if (this.port !== undefined) {
      this.port.postMessage(message)
      return
    }
    this.waiting.push({ message, length })
    this.waitingLength += length
    while (this.waiting.length > kept || this.waitingLength > keptLength) this.waitingLength -= this.waiting.shift()?.length ?? 0
  }
}

// isActive tells whether the browser saw a gesture in this frame or in one below.
// Sandboxed code cannot run here, so it cannot forge this. Firefox before 120 and
// Safari before 16.4 lack userActivation: there the answer is yes, and no view is
// ended.
function isActive(): boolean {
  return 'userActivation' in navigator ? navigator.userActivation.isActive : true
}
