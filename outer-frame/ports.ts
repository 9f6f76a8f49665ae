// The ports of a view's documents. Each document, nested or not, hands over one.
import type { Measure, Path, Ping, Reports, Restore, Size, Update, Updated, Updating } from '../protocol/protocol.gen'
import { Heartbeat } from './heartbeat'
import { readPath, readReports, readSign, readSize, readUpdated, readUpdating } from './messages'

// Beyond this limit the first port is closed, but not that of the view's own document.
const portLimit = 64

interface Listener {
  // passes counts a message, and reports whether it may be handled.
  passes(): boolean
  reported(batch: Reports): void
  // The following are only of the view's own document.
  sized(size: Size): void
  answered(message: Updating | Updated | Path): void
  // alive: the document has answered a ping.
  alive(): void
  // left: the document goes away.
  left(): void
  // crashed: the document no longer answers pings.
  crashed(): void
}

export class Ports {
  // The ports whose documents have said that they go away come first, and then the oldest.
  private all: readonly MessagePort[] = []
  // The ports of the view's own document, which is asked on them whether it still runs.
  // One answer is enough: sandboxed code can hand over ports that nobody answers.
  private readonly own = new Set<MessagePort>()
  private heart: Heartbeat | undefined
  private measuring = false

  constructor(private readonly listener: Listener) {}

  adopt([port, ...others]: readonly MessagePort[], own: boolean): void {
    for (const other of others) other.close()
    if (port === undefined) return
    if (own) this.watch(port)
    port.onmessage = (event: MessageEvent<unknown>) => {
      if (this.listener.passes()) this.receive(port, event.data)
    }
    this.all = [...this.all, port]
    if (this.all.length <= portLimit) return
    const first = this.all.find((each) => each !== this.newest()) ?? port
    this.all = this.without(first)
    this.release(first)
  }

  private without(port: MessagePort): readonly MessagePort[] {
    return this.all.filter((each) => each !== port)
  }

  // close closes all ports: their documents are gone.
  close(): void {
    const { all } = this
    this.all = []
    for (const port of all) this.release(port)
  }

  // measure asks the view's own document for its height, and every later one. Nested
  // frames are not asked, and their answers are ignored.
  measure(on: boolean): void {
    this.measuring = on
    for (const port of this.own) port.postMessage({ kind: 'measure', on } satisfies Measure)
  }

  // ask posts to the view's own document. It returns false if there is none.
  ask(message: Update | Restore): boolean {
    const port = this.newest()
    port?.postMessage(message)
    return port !== undefined
  }

  private newest(): MessagePort | undefined {
    return [...this.own].at(-1)
  }

  private receive(port: MessagePort, data: unknown): void {
    const sign = readSign(data)
    if (sign?.kind === 'pong' && this.own.has(port)) {
      this.heart?.heard()
      this.listener.alive()
    } else if (sign?.kind === 'bye') {
      this.unwatch(port)
      this.all = [port, ...this.without(port)]
    }
    if (sign !== undefined) return
    const size = readSize(data)
    const answer = readUpdating(data) ?? readUpdated(data) ?? readPath(data)
    if (size === undefined && answer === undefined) {
      const batch = readReports(data)
      if (batch !== undefined) this.listener.reported(batch)
    } else if (port === this.newest()) {
      if (size !== undefined && this.measuring) this.listener.sized(size)
      if (answer !== undefined) this.listener.answered(answer)
    }
  }

  private release(port: MessagePort): void {
    this.unwatch(port)
    port.close()
  }

  private watch(port: MessagePort): void {
    const ping: Ping = { kind: 'ping' }
    this.own.add(port)
    if (this.measuring) port.postMessage({ kind: 'measure', on: true } satisfies Measure)
    this.heart ??= new Heartbeat(() => {
      for (const one of this.own) one.postMessage(ping)
    }, () => this.listener.crashed())
  }

  private unwatch(port: MessagePort): void {
    const current = port === this.newest()
    this.own.delete(port)
    if (current) this.listener.left()
    if (this.own.size > 0) return
    this.heart?.stop()
    this.heart = undefined
  }
}
