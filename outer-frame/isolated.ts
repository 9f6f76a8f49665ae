// The hidden frame of one isolated execution: a document without an origin, which is
// removed with the execution.
import { paths, type Run } from '../protocol/protocol.gen'
import { data } from './data'
import { readBegun } from './messages'

const deadline = 30_000 // milliseconds for the document to load

interface Listener {
  ended(execution: string): void
  // failed: the document did not load in time, or has navigated.
  failed(code: 'page-timeout' | 'navigation-blocked'): void
}

export class Isolated {
  private readonly frame = document.createElement('iframe')
  private readonly timer: ReturnType<typeof setTimeout>
  private loaded = false
  private listens = false
  private readonly receive = (event: MessageEvent<unknown>): void => this.hear(event)

  constructor(parent: HTMLElement, private readonly run: Run, private readonly port: MessagePort, private readonly listener: Listener) {
    this.frame.hidden = true
    this.frame.setAttribute('sandbox', 'allow-scripts')
    this.frame.src = data.inner + paths.isolated + run.execution
    this.timer = setTimeout(() => this.fail('page-timeout'), deadline)
    this.frame.onload = () => this.load()
    addEventListener('message', this.receive)
    parent.append(this.frame)
  }

  end(): void {
    this.remove()
    this.listener.ended(this.run.execution)
  }

  // remove removes the frame, and with it everything that runs in it.
  remove(): void {
    clearTimeout(this.timer)
    removeEventListener('message', this.receive)
    this.frame.remove()
  }

  private fail(code: 'page-timeout' | 'navigation-blocked'): void {
    this.remove()
    this.listener.failed(code)
  }

  // A second load means that the code has navigated, which it may not.
  private load(): void {
    if (this.loaded) return this.fail('navigation-blocked')
    this.loaded = true
    this.begin()
  }

  // The document reports that it listens before any code of the execution runs.
  private hear(event: MessageEvent<unknown>): void {
    if (event.source === null || event.source !== this.frame.contentWindow || readBegun(event.data) === undefined) return
    removeEventListener('message', this.receive)
    this.listens = true
    this.begin()
  }

  // begin runs the code once its document has loaded. Code that navigated earlier would
  // suppress that load event, and the next document's event would count as the first. A
  // document without an origin cannot be the target of postMessage, hence '*'; the
  // message has only the port.
  private begin(): void {
    if (!this.loaded || !this.listens) return
    clearTimeout(this.timer)
    this.frame.contentWindow?.postMessage(null, '*', [this.port])
  }
}
