// The page above this one.
import { version, type Connect, type EmbedderMessage, type EventMessage, type StateMessage } from '../protocol/protocol.gen'
import { data } from './data'

// Until an embedder connects, this many events are kept for it.
const kept = 2_000

export class Embedder {
  private port: MessagePort | undefined
  private lastState: StateMessage | undefined
  private waiting: EventMessage[] = []

  constructor(private readonly reload: () => void) {
    const connect = (event: MessageEvent<unknown>): void => {
      // Only the page directly above may connect, only from a listed origin,
      // and only once. From then on the port says who is speaking.
      if (event.source !== parent || parent === window || !data.embedders.includes(event.origin)) return
      const [port] = event.ports
      if (!isConnect(event.data) || port === undefined) return
      removeEventListener('message', connect)
      if (event.data.protocol !== version) {
        console.error(`Bellglass: the embedding page speaks protocol ${event.data.protocol}, this frame ${version}. Load both from the same server.`)
        return
      }
      this.open(port)
    }
    addEventListener('message', connect)
  }

  private open(port: MessagePort): void {
    this.port = port
    port.onmessage = (event: MessageEvent<unknown>) => {
      if (isReload(event.data)) this.reload()
      else console.warn('Bellglass: an unknown message from the embedding page was ignored.')
    }
    if (this.lastState !== undefined) port.postMessage(this.lastState)
    for (const message of this.waiting) port.postMessage(message)
    this.waiting = []
  }

  state(message: StateMessage): void {
    this.lastState = message
    this.port?.postMessage(message)
  }

  event(message: EventMessage): void {
    if (this.port !== undefined) {
      this.port.postMessage(message)
      return
    }
    this.waiting.push(message)
    if (this.waiting.length > kept) this.waiting.shift()
  }
}

function isConnect(message: unknown): message is Connect {
  return typeof message === 'object' && message !== null && 'kind' in message && message.kind === 'connect' && 'protocol' in message
}

function isReload(message: unknown): message is EmbedderMessage {
  return typeof message === 'object' && message !== null && 'kind' in message && message.kind === 'reload'
}
