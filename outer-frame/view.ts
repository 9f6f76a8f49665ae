// The view: one iframe at the inner origin, from its boot to its end. The first one
// stands in the page's markup, so that the browser starts what is to run in it
// while this script is still on its way; each later one is a copy of it.
import { version, type Boot, type BootCode, type Containment, type Listening, type Reports, type Stage } from '../protocol/protocol.gen'
import { data } from './data'
import { cut, readFrameMessage, readReports } from './messages'

// For each stage of a boot. The boot page has shorter deadlines of its own and says
// which it missed; this one is for a page that says nothing any longer.
const stageDeadline = 30_000 // milliseconds
// Each document of a view, nested ones too, hands over a port. Beyond this many
// the oldest is closed.
const portLimit = 64

interface Listener {
  booting(): void
  contained(level: Containment): void
  ready(): void
  failed(code: BootCode, text: string, advice: string): void
  reported(batch: Reports): void
}

export class View {
  private readonly pattern: HTMLIFrameElement
  private frame: HTMLIFrameElement | undefined
  private ports: MessagePort[] = []
  private timer: ReturnType<typeof setTimeout> | undefined
  // awaited: the boot page of this view has not reported yet. What it says of
  // containment counts only now, while no untrusted code runs in the frame.
  private awaited = false
  // greeted: since the boot page was ready, a document of the view has said hello.
  private greeted = false

  constructor(private readonly parent: HTMLElement, private readonly listener: Listener) {
    const frame = parent.querySelector('iframe')
    if (frame === null) throw new Error('the page has no frame for the view')
    this.pattern = frame.cloneNode() as HTMLIFrameElement
    this.frame = frame
    addEventListener('message', (event: MessageEvent<unknown>) => this.receive(event))
  }

  // begin attends to the boot of the frame in the markup, wherever it is by now.
  begin(): void {
    this.boots()
    if (this.frame !== undefined) listening(this.frame)
  }

  // start makes a new frame in place of an old one, and boots it.
  start(): void {
    this.frame?.remove()
    for (const port of this.ports.splice(0)) port.close()
    this.frame = this.pattern.cloneNode() as HTMLIFrameElement
    this.boots()
    this.parent.append(this.frame)
  }

  private boots(): void {
    this.awaited = true
    this.listener.booting()
    this.expect('page')
  }

  // end gives the view up. Whatever made it end, nothing runs in it any longer,
  // for that is what will be said of it.
  end(code: BootCode, text: string, advice: string): void {
    this.relax()
    this.frame?.remove()
    this.frame = undefined
    this.awaited = false
    this.listener.failed(code, cut(text), cut(advice))
  }

  private relax(): void {
    clearTimeout(this.timer)
    this.timer = undefined
  }

  private expect(stage: Stage): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => {
      // Its document is there and runs; what it still loads may take its time.
      if (stage === 'entry' && this.greeted) this.show()
      else this.end(`${stage}-timeout`, `The sandbox did not start: nothing was heard for ${stageDeadline / 1000} s while ${stages[stage]}.`, 'Check that Bellglass is still running, and load the page again.')
    }, stageDeadline)
  }

  private receive(event: MessageEvent<unknown>): void {
    if (event.origin !== data.inner) return
    const message = readFrameMessage(event.data)
    if (message === undefined) return
    // Each document of the view says hello. What is said of the view itself is
    // taken from its own window alone, not from a frame within it.
    if (message.kind === 'hello') {
      this.adopt(event.ports[0])
      return
    }
    if (this.frame === undefined || event.source !== this.frame.contentWindow) return
    switch (message.kind) {
      case 'boot':
        this.booted(message, this.frame)
        return
      case 'mismatch':
        this.end('version-mismatch', `The sandbox's page speaks protocol ${message.protocol}, this frame ${version}.`, 'Load the page again.')
        return
      default:
        message satisfies never
    }
  }

  private booted(boot: Boot, frame: HTMLIFrameElement): void {
    switch (boot.phase) {
      case 'started':
        if (boot.view) listening(frame)
        this.listener.booting()
        this.expect('page')
        return
      case 'waiting':
        if (this.timer !== undefined && boot.stage !== undefined) this.expect(boot.stage)
        return
      case 'failed':
        // Once untrusted code has run, it can say this too; so its words are not
        // shown as ours.
        if (this.awaited) this.end(boot.code ?? 'worker-refused', boot.text ?? '', boot.advice ?? '')
        else this.end(boot.code ?? 'worker-refused', 'A page of the sandbox says that it cannot go on.', 'Load the sandbox again, and check that Bellglass is still running.')
        return
      case 'ready':
        if (boot.view && !this.awaited) return
        this.showWhenLoaded(frame)
        if (!boot.view) return // it loads itself again
        this.awaited = false
        this.listener.contained(boot.containment)
        return // it goes to the entry itself
      default:
        boot.phase satisfies never
    }
  }

  // A boot page that is ready has itself loaded, so the next document that the
  // frame loads is the view's own.
  private showWhenLoaded(frame: HTMLIFrameElement): void {
    this.greeted = false
    this.expect('entry')
    frame.onload = () => this.show()
  }

  private show(): void {
    if (this.frame !== undefined) this.frame.onload = null
    this.relax()
    this.listener.ready()
  }

  private adopt(port: MessagePort | undefined): void {
    if (port === undefined) return
    this.greeted = true
    port.onmessage = (event: MessageEvent<unknown>) => {
      const batch = readReports(event.data)
      if (batch !== undefined) this.listener.reported(batch)
    }
    this.ports.push(port)
    if (this.ports.length > portLimit) this.ports.shift()?.close()
  }
}

const stages: Readonly<Record<Stage, string>> = {
  page: 'the page that starts it was loading',
  register: 'the browser registered its worker',
  control: 'its worker took control',
  state: 'its worker fetched its rules and files',
  outer: 'it waited for the frame around it',
  entry: 'its own document was loading',
}

// listening tells whatever is in the frame, which before a boot page has begun is
// nobody: a message to that one's origin would be an error in the console. It
// holds nothing, and who gets it looks at whom it is from.
function listening(frame: HTMLIFrameElement): void {
  const message: Listening = { kind: 'listening' }
  frame.contentWindow?.postMessage(message, '*')
}
