// The outer frame's iframe and the channel to it. The outer frame's origin is compared
// once, when it hands over the port. From then on the port identifies it.
import { version, type AskActive, type Connect, type Event, type Live, type Measure, type OuterMessage, type Reload, type Shown, type StateMessage } from '../protocol/protocol.gen'
import { FocusGuard } from './focus'
import { isBlockedHere } from './localnetwork'

export interface Listener {
  state(message: StateMessage): void
  event(event: Event): void
  // The frame does not answer. It has not loaded, does not accept this page as an
  // embedder, or is not an outer frame. It is reloaded
  // automatically until it answers.
  silent(code: Silence): void
  // The server speaks another protocol than this script. No other message follows.
  mismatch(protocol: number): void
  // The sandbox repeatedly took the focus from this page. The frame was removed.
  taken(): void
  // The document's height, after measure(true). Untrusted code reports it, within
  // bounds.
  sized?(height: number): void
  // What the view shows now. Its path and revision are the word of untrusted code.
  shown?(message: Shown): void
}

export type Silence = 'frame-timeout' | 'no-answer' | 'local-network-blocked'

export interface Address {
  readonly url: string
  readonly title: string
  // The frame's allow attribute: the permissions that are delegated to it.
  readonly allow?: string
  // Events up to this one are known already.
  readonly after?: Place
  // How long the frame may take to load, in milliseconds. Its first message may take as
  // long again, but at most the usual time.
  readonly timeout?: number
}

// Place is the position of an event in the log of one incarnation of a sandbox. After a
// restart of the server, the next incarnation numbers its events from the start.
export interface Place {
  // '' if the incarnation is not known yet: then the position is in the first log that is heard.
  readonly incarnation: string
  readonly id: number
}

// placeIn returns the position in the log of an incarnation: the last one, if that is in the
// same log, or else the log's start.
export function placeIn(incarnation: string, last: Place): Place {
  return { incarnation, id: last.incarnation === '' || last.incarnation === incarnation ? last.id : 0 }
}

const loadDeadline = 30_000 // milliseconds
const patience = 10_000 // for the first message of a frame that has loaded
const firstWait = 5_000 // before a silent frame is reloaded; the wait doubles each time
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
  private living = false

  constructor(private readonly parent: HTMLElement, private readonly address: Address, private readonly listener: Listener) {
    this.last = address.after ?? { incarnation: '', id: 0 }
    this.load()
  }

  // reload asks the outer frame to reload the view. An outer frame that never answered
  // cannot be asked, so it is reloaded itself.
  reload(): void {
    if (this.answered && this.port !== undefined) {
      const message: Reload = { kind: 'reload' }
      this.port.postMessage(message)
    } else {
      this.load()
    }
  }

  // measure turns reports of the document's height on or off.
  measure(on: boolean): void {
    if (on === this.measuring) return
    this.measuring = on
    this.port?.postMessage({ kind: 'measure', on } satisfies Measure)
  }

  // live turns live update on or off.
  live(on: boolean): void {
    if (on === this.living) return
    this.living = on
    this.port?.postMessage({ kind: 'live', on } satisfies Live)
  }

  set title(title: string) {
    if (this.frame !== undefined) this.frame.title = title
  }

  // close removes the frame. The listener is not called again.
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

  // A new frame for each load leaves no entry in the page's history.
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
    if (this.living) port1.postMessage({ kind: 'live', on: true } satisfies Live)
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
        this.last = placeIn(message.incarnation, this.last)
        this.listener.state(message)
        break
      case 'event':
        this.take(message.event)
        break
      case 'active':
        this.asking.shift()?.(message.active)
        break
      case 'mismatch':
        this.listener.mismatch(message.protocol)
        break
      case 'size':
        if (this.measuring) this.listener.sized?.(message.height)
        break
      case 'shown':
        this.listener.shown?.(message)
        break
      default:
        warn(message satisfies never)
    }
  }

  // Event ids only grow. An outer frame that reloads replays its history; this drops
  // what has been received already.
  private take(event: Event): void {
    if (event.id <= this.last.id) return
    this.last = { ...this.last, id: event.id }
    this.listener.event(event)
  }
}

function warn(data: unknown): void {
  console.warn('Bellglass: an unknown message from the outer frame was ignored.', data)
}
