// The outer frame's iframe and the channel to it. The outer's origin is compared
// once, when the port is handed over; from then on the port says who speaks.
import { version, type AskActive, type Connect, type Event, type Measure, type OuterMessage, type Reload, type StateMessage } from '../protocol/protocol.gen'
import { FocusGuard } from './focus'
import { isBlockedHere } from './localnetwork'

export interface Listener {
  state(message: StateMessage): void
  event(event: Event): void
  // The frame says nothing: it has not loaded, or it has loaded and does not know
  // this page as an embedder, speaks another protocol, or is no outer frame. It is
  // loaded anew by and by, until it speaks.
  silent(code: Silence): void
  // The sandbox repeatedly took the focus from this page. The frame was removed.
  taken(): void
  // The document has told its height, which was asked for. It is the word of the sandbox,
  // within bounds.
  sized?(height: number): void
}

export type Silence = 'frame-timeout' | 'no-answer' | 'local-network-blocked'

export interface Address {
  readonly url: string
  readonly title: string
  // The frame's allow attribute: permissions that it is handed on.
  readonly allow?: string
  // Events up to this place are known already.
  readonly after?: Place
  // How long the frame may take to load, in milliseconds; its first word after
  // that is waited for as long, and not longer than usual.
  readonly timeout?: number
}

// Place is the position of an event in the log of one incarnation of a sandbox. After a
// restart of the server, the next incarnation numbers its events from the start.
export interface Place {
  readonly incarnation: string
  readonly id: number
}

const loadDeadline = 30_000 // milliseconds
const patience = 10_000 // for the first word of a frame that has loaded
const firstWait = 5_000 // before a silent frame is loaded anew; each is twice the one before
const longestWait = 60_000

export class Connection {
  private frame: HTMLIFrameElement | undefined
  private port: MessagePort | undefined
  private timer: ReturnType<typeof setTimeout> | undefined
  private wait = firstWait
  private answered = false
  private last: Place
  private guard: FocusGuard | undefined
  private asking: ((active: boolean) => void)[] = []
  private measuring = false

  constructor(private readonly parent: HTMLElement, private readonly address: Address, private readonly listener: Listener) {
    this.last = address.after ?? { incarnation: '', id: 0 }
    this.load()
  }

  // reload asks the outer for the view again. An outer that never answered
  // cannot be asked, so it is loaded again itself.
  reload(): void {
    if (this.answered && this.port !== undefined) {
      const message: Reload = { kind: 'reload' }
      this.port.postMessage(message)
    } else {
      this.load()
    }
  }

  // measure asks for the height of the document in the view, until it is off again.
  measure(on: boolean): void {
    if (on === this.measuring) return
    this.measuring = on
    this.port?.postMessage({ kind: 'measure', on } satisfies Measure)
  }

  set title(title: string) {
    if (this.frame !== undefined) this.frame.title = title
  }

  // close takes the frame away. Nothing is heard of it from then on.
  close(): void {
    clearTimeout(this.timer)
    this.port?.close()
    this.port = undefined
    this.guard?.stop()
    this.guard = undefined
    this.asking = []
    this.frame?.remove()
    this.frame = undefined
    this.answered = false
  }

  // A frame of its own for each load leaves no entry in the page's history.
  private load(): void {
    const title = this.frame?.title ?? this.address.title
    this.close()
    const frame = this.parent.ownerDocument.createElement('iframe')
    frame.title = title
    frame.referrerPolicy = 'no-referrer'
    frame.allow = this.address.allow ?? ''
    frame.setAttribute('part', 'frame')
    frame.addEventListener('load', () => {
      if (frame === this.frame) this.connect(frame)
    })
    frame.src = this.address.url
    this.frame = frame
    this.guard = new FocusGuard(frame.ownerDocument, {
      frame: () => this.frame,
      isActive: () => this.isActive(),
      taken: () => {
        this.close()
        this.listener.taken()
      },
    })
    this.expect('frame-timeout', this.address.timeout ?? loadDeadline)
    this.parent.append(frame)
  }

  private connect(frame: HTMLIFrameElement): void {
    this.port?.close()
    const { port1, port2 } = new MessageChannel()
    this.port = port1
    this.answered = false
    port1.onmessage = (event: MessageEvent<unknown>) => this.receive(event.data)
    const message: Connect = { kind: 'connect', protocol: version }
    this.expect('no-answer', Math.min(patience, this.address.timeout ?? patience))
    frame.contentWindow?.postMessage(message, new URL(this.address.url).origin, [port2])
    if (this.measuring) port1.postMessage({ kind: 'measure', on: true } satisfies Measure)
  }

  // isActive never resolves if the frame does not answer.
  private isActive(): Promise<boolean> {
    return new Promise((resolve) => {
      if (!this.answered) return
      this.asking.push(resolve)
      const message: AskActive = { kind: 'ask-active' }
      this.port?.postMessage(message)
    })
  }

  private expect(otherwise: Silence, deadline: number): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => {
      this.timer = setTimeout(() => this.load(), this.wait)
      this.wait = Math.min(2 * this.wait, longestWait)
      void this.silent(otherwise)
    }, deadline)
  }

  private async silent(otherwise: Silence): Promise<void> {
    const { frame } = this
    const blocked = await isBlockedHere(this.address.url)
    if (frame === this.frame && !this.answered) this.listener.silent(blocked ? 'local-network-blocked' : otherwise)
  }

  private receive(data: unknown): void {
    if (typeof data !== 'object' || data === null || !('kind' in data)) return warn(data)
    clearTimeout(this.timer)
    this.wait = firstWait
    this.answered = true
    const message = data as OuterMessage
    switch (message.kind) {
      case 'state':
        if (message.incarnation !== this.last.incarnation) this.last = { incarnation: message.incarnation, id: 0 }
        this.listener.state(message)
        break
      case 'event':
        this.take(message.event)
        break
      case 'active':
        this.asking.shift()?.(message.active)
        break
      case 'size':
        if (this.measuring) this.listener.sized?.(message.height)
        break
      default:
        warn(message satisfies never)
    }
  }

  // Event ids only grow. An outer frame that reloads replays its history, and this drops
  // what was taken already.
  private take(event: Event): void {
    if (event.id <= this.last.id) return
    this.last = { ...this.last, id: event.id }
    this.listener.event(event)
  }
}

function warn(data: unknown): void {
  console.warn('Bellglass: an unknown message from the outer frame was ignored.', data)
}
