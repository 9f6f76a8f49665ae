// The view: one iframe at the inner origin, from its boot to its end.
import { paths, version, type Boot, type BootCode, type Containment, type FrameMessage, type Reports } from '../protocol/protocol.gen'
import { data } from './data'

// From the start of a boot until its end, repair included.
const bootDeadline = 60_000 // milliseconds
// Each document of a view, nested ones too, hands over a port. Beyond this many
// the oldest is closed.
const portLimit = 64
// No turn of a page drops more reports than this; the sum stays a whole number.
const droppedLimit = 1e9

interface Listener {
  booting(): void
  contained(level: Containment): void
  ready(): void
  failed(code: BootCode, text: string, advice: string): void
  reported(batch: Reports): void
}

export class View {
  private frame: HTMLIFrameElement | undefined
  private ports: MessagePort[] = []
  private timer: ReturnType<typeof setTimeout> | undefined
  // awaited: the boot page of this view has not reported yet. What it says of
  // containment counts only now, while no untrusted code runs in the frame.
  private awaited = false

  constructor(private readonly parent: HTMLElement, private readonly listener: Listener) {
    addEventListener('message', (event: MessageEvent<unknown>) => this.receive(event))
  }

  // start makes a new frame in place of an old one, and boots it.
  start(): void {
    this.frame?.remove()
    for (const port of this.ports.splice(0)) port.close()
    const frame = document.createElement('iframe')
    frame.title = 'Sandbox'
    if (data.sandbox !== null) frame.setAttribute('sandbox', data.sandbox)
    frame.src = data.inner + paths.boot
    this.frame = frame
    this.awaited = true
    this.listener.booting()
    this.expect()
    this.parent.append(frame)
  }

  // end gives the view up.
  end(code: BootCode, text: string, advice: string): void {
    clearTimeout(this.timer)
    if (this.frame !== undefined) this.frame.onload = null
    this.awaited = false
    this.listener.failed(code, text, advice)
  }

  private expect(): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => {
      this.end('view-timeout', `The sandbox did not start within ${bootDeadline / 1000} s.`, 'Check that Bellglass is still running, and load the page again.')
    }, bootDeadline)
  }

  private receive(event: MessageEvent<unknown>): void {
    if (event.origin !== data.inner || !isFrameMessage(event.data)) return
    const message = event.data
    if (message.protocol !== version) {
      this.end('version-mismatch', `The sandbox's page speaks protocol ${message.protocol}, this frame ${version}.`, 'Load the page again.')
      return
    }
    switch (message.kind) {
      case 'hello':
        this.adopt(event.ports[0])
        return
      case 'boot':
        if (event.source === this.frame?.contentWindow) this.booted(message)
        return
      default:
        message satisfies never
    }
  }

  private booted(boot: Boot): void {
    switch (boot.phase) {
      case 'started':
        this.listener.booting()
        this.expect()
        return
      case 'failed':
        this.end(boot.code ?? 'worker-refused', boot.text ?? '', boot.advice ?? '')
        return
      case 'ready':
        if (this.frame === undefined || (boot.view && !this.awaited)) return
        this.showWhenLoaded(this.frame)
        if (!boot.view) return // it loads itself again
        this.awaited = false
        this.listener.contained(boot.containment)
        this.frame.src = data.inner + data.entry
        return
      default:
        boot.phase satisfies never
    }
  }

  // A boot page that is ready has itself loaded, so the next document that the
  // frame loads is the view's own.
  private showWhenLoaded(frame: HTMLIFrameElement): void {
    frame.onload = () => {
      frame.onload = null
      clearTimeout(this.timer)
      this.listener.ready()
    }
  }

  private adopt(port: MessagePort | undefined): void {
    if (port === undefined) return
    port.onmessage = (event: MessageEvent<unknown>) => {
      if (isReports(event.data)) this.listener.reported(event.data)
    }
    this.ports.push(port)
    if (this.ports.length > portLimit) this.ports.shift()?.close()
  }
}

function isFrameMessage(message: unknown): message is FrameMessage {
  return typeof message === 'object' && message !== null && 'kind' in message && (message.kind === 'boot' || message.kind === 'hello') && 'protocol' in message
}

function isReports(message: unknown): message is Reports {
  return typeof message === 'object' && message !== null && 'reports' in message && Array.isArray(message.reports) && 'dropped' in message &&
    Number.isInteger(message.dropped) && Number(message.dropped) >= 0 && Number(message.dropped) <= droppedLimit
}
