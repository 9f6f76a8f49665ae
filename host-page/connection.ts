// The outer frame's iframe and the channel to it. The outer's origin is compared
// once, when the port is handed over; from then on the port says who speaks.
import { version, type Connect, type Event, type OuterMessage, type Reload, type StateMessage } from '../protocol/protocol.gen'

export interface Listener {
  state(message: StateMessage): void
  event(event: Event): void
  // The frame has loaded and said nothing for a while: it does not know this
  // page as an embedder, speaks another protocol, or is not there at all.
  silent(): void
}

const patience = 10_000 // ms

export class Connection {
  private readonly frame = document.createElement('iframe')
  private readonly origin: string
  private port: MessagePort | undefined
  private answered = false
  private lastId = 0
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(parent: HTMLElement, title: string, private readonly url: string, private readonly listener: Listener) {
    this.origin = new URL(url).origin
    this.frame.title = title
    this.frame.addEventListener('load', () => this.connect())
    this.frame.src = url
    parent.append(this.frame)
  }

  // reload asks the outer for the view again. An outer that never answered
  // cannot be asked, so it is loaded again itself.
  reload(): void {
    if (this.answered && this.port !== undefined) {
      const message: Reload = { kind: 'reload' }
      this.port.postMessage(message)
    } else {
      this.frame.src = this.url
    }
  }

  private connect(): void {
    this.port?.close()
    const { port1, port2 } = new MessageChannel()
    this.port = port1
    this.answered = false
    port1.onmessage = (event: MessageEvent<unknown>) => this.receive(event.data)
    const message: Connect = { kind: 'connect', protocol: version }
    this.frame.contentWindow?.postMessage(message, this.origin, [port2])
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.listener.silent(), patience)
  }

  private receive(data: unknown): void {
    if (typeof data !== 'object' || data === null || !('kind' in data)) return warn(data)
    clearTimeout(this.timer)
    this.answered = true
    const message = data as OuterMessage
    switch (message.kind) {
      case 'state':
        this.listener.state(message)
        break
      case 'event':
        this.take(message.event)
        break
      default:
        warn(message satisfies never)
    }
  }

  // Ids only grow, so an outer that loads anew and replays its history adds
  // nothing twice.
  private take(event: Event): void {
    if (event.id <= this.lastId) return
    this.lastId = event.id
    this.listener.event(event)
  }
}

function warn(data: unknown): void {
  console.warn('Bellglass: an unknown message from the outer frame was ignored.', data)
}
