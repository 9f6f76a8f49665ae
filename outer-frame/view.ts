// The view: one iframe at the inner origin, from its boot to its end. The first iframe
// is in the page's markup, so that the browser loads it while this script is still
// loading. Each later one is a copy of it.
import { version, type Boot, type BootCode, type Containment, type Going, type Listening, type Open, type Path, type Reports, type Restore, type Size, type Stage, type Update, type Updated, type Updating } from '../protocol/protocol.gen'
import type { Gate } from './containment'
import { data } from './data'
import { bootFailures, type FrameCode } from './failures'
import { isBelow, Meter, onToldOfFlood, Strangers } from './flood'
import { cut, readFrameMessage } from './messages'
import { Ports } from './ports'

// For each stage of a boot. The boot page has shorter deadlines, and reports which one
// it missed. This one is for a page that no longer reports anything.
const stageDeadline = 30_000 // milliseconds
// For the first message of a document that has loaded. WebKit delivers messages late.
const greetingDeadline = 300 // milliseconds

interface Listener {
  booting(): void
  // waiting: everything is ready, and the view opens its entry when open is called.
  // controlled: a service worker can begin the entry's document before the server has it.
  waiting(controlled: boolean): void
  // enters: the view opens this path next.
  enters(entry: string): void
  // greeted: a document of the view, not a nested one, has begun, with these values of its
  // Hello.
  greeted(revision: number, path: string): void
  // loaded: the frame has loaded a document, whatever it is.
  loaded(): void
  // alive, left, and answered: see [Ports].
  alive(): void
  left(): void
  answered(message: Updating | Updated | Path): void
  // crashed returns false if that ends the view.
  crashed(): boolean
  ready(): void
  failed(code: BootCode, text: string, advice: string): void
  reported(batch: Reports): void
  // sized: the view's own document has reported its height, as requested.
  sized(size: Size): void
}

export class View {
  private readonly pattern: HTMLIFrameElement
  private frame: HTMLIFrameElement | undefined
  private readonly ports: Ports
  private timer: ReturnType<typeof setTimeout> | undefined
  // awaited: the boot page of this view has not reported yet. So no untrusted code runs
  // in the frame, unless another view of the same sandbox reaches into it.
  private awaited = false
  // started: a boot page of this view has said that it started, so it knows that this frame
  // listens.
  private started = false
  // greeted: a document of the view has said hello since the boot page was ready.
  private greeted = false
  // complete: the document that the view opened in advance has loaded.
  private complete = false
  // entry is the path that the boot page of a waiting view opens.
  private entry = '/'
  // unheard: the document that a warm view opened has loaded, and has sent no message yet.
  private unheard = false
  // leads: each boot page is told to go ahead, see [View.lead].
  private leads = false
  private meter = this.newMeter()
  private readonly strangers = new Strangers()
  // starts counts the frames so far, so that a result is not applied to a later frame.
  private starts = 0

  constructor(private readonly parent: HTMLElement, private readonly gate: Gate, private readonly listener: Listener, private readonly waits: boolean) {
    const frame = parent.querySelector('iframe')
    const pattern = frame ?? parent.querySelector('template')?.content.querySelector('iframe')
    if (pattern == null) throw new Error('the page has no frame for the view')
    this.pattern = pattern.cloneNode() as HTMLIFrameElement
    this.frame = frame ?? undefined
    this.follows()
    this.ports = new Ports({
      passes: () => this.meter.passes(),
      reported: (batch) => listener.reported(batch),
      sized: (size) => listener.sized(size),
      answered: (message) => listener.answered(message),
      alive: () => listener.alive(),
      left: () => listener.left(),
      crashed: () => {
        if (listener.crashed()) this.ports.close()
        else this.end('crashed', 'The browser ended the process in which the sandbox ran, most often because its memory was used up.', 'Load the sandbox again.')
      },
    })
    addEventListener('message', (event: MessageEvent<unknown>) => this.receive(event))
    onToldOfFlood(() => this.flooded())
  }

  // begin watches the boot of the frame in the markup, however far it is, or creates
  // the frame.
  //
  // A boot page that starts from now on says so, and gets its answer. One that started before has
  // loaded when this page has. To send it the answer now would make Chromium 156 create a script
  // context for the empty document that is usually still in the frame, which takes 5 ms.
  begin(): void {
    const { frame } = this
    if (frame === undefined) return this.start()
    this.boots()
    addEventListener('load', () => {
      if (!this.started && frame === this.frame) this.listening(frame.contentWindow, data.enough)
    }, { once: true })
  }

  // start replaces the frame and boots the new one. If the policy demands a level of
  // containment, start creates the frame only after the probe has shown that level.
  start(): void {
    this.remove()
    this.boots()
    const start = ++this.starts
    if (this.gate.isOpen()) return this.make()
    void this.gate.missing().then((missing) => {
      if (start !== this.starts) return
      if (missing === undefined) this.make()
      else this.end(missing.code, missing.text, missing.advice)
    })
  }

  // demanded checks whether the changed policy still accepts the view.
  async demanded(enough?: readonly Containment[]): Promise<void> {
    const { starts } = this
    const missing = await this.gate.missing(enough)
    if (starts !== this.starts) return
    if (missing !== undefined) this.end(missing.code, missing.text, missing.advice)
    // The boot page may have started before this page, and wait for the result.
    else if (this.awaited && !this.gate.isOpen()) this.listening(this.window)
  }

  private make(): void {
    this.meter = this.newMeter()
    this.frame = this.pattern.cloneNode() as HTMLIFrameElement
    this.follows()
    this.parent.append(this.frame)
  }

  private follows(): void {
    const { frame } = this
    frame?.addEventListener('load', () => {
      if (frame === this.frame) this.listener.loaded()
    })
  }

  private remove(): void {
    this.frame?.remove()
    this.frame = undefined
    this.unheard = false
    this.ports.close()
  }

  private boots(): void {
    this.awaited = true
    this.listener.booting()
    this.expect('page')
  }

  // end stops the view. Whatever the reason, nothing may run in it any longer, because
  // the message says so.
  end(code: BootCode, text: string, advice: string): void {
    this.relax()
    this.remove()
    this.starts++
    this.awaited = false
    this.listener.failed(code, cut(text), cut(advice))
  }

  private fail(code: FrameCode): void {
    this.end(code, ...bootFailures[code])
  }

  private relax(): void {
    clearTimeout(this.timer)
    this.timer = undefined
  }

  private expect(stage: Stage): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => {
      // Its document is there and runs; the rest may load later.
      if (stage === 'entry' && this.greeted) this.show()
      else this.fail(`${stage}-timeout`)
    }, stageDeadline)
  }

  private newMeter(): Meter {
    return new Meter(() => this.flooded())
  }

  private flooded(): void {
    this.meter.over = true
    this.end('message-flood', 'The sandbox sent more messages than this page can read, so it was ended.', 'Load the sandbox again.')
  }

  private receive(event: MessageEvent<unknown>): void {
    // Messages that a flood has posted are still dispatched after its documents are
    // gone. They have no source.
    const source = event.source as Window | null
    if (this.meter.over || source === null || source === parent) return
    if (!isBelow(source)) return this.strangers.heard(source)
    if (!this.meter.passes() || event.origin !== data.inner) return
    const message = readFrameMessage(event.data)
    if (message === undefined) return
    // Each document of the view says hello. Reports about the view itself are accepted
    // only from its own window, not from a frame inside it.
    if (message.kind === 'hello') {
      const own = source === this.frame?.contentWindow
      this.greeted ||= event.ports.length > 0
      this.ports.adopt(event.ports, own)
      if (own) this.begun(message.revision, message.path)
      return
    }
    if (message.kind === 'boot' && message.phase === 'started') this.listening(event.source as Window | null, message.enough)
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
        this.started = true
        if (boot.enough !== undefined) void this.demanded(boot.enough)
        this.listener.booting()
        this.expect('page')
        // The document that loads now is this page. It is not what the view shows.
        frame.onload = null
        this.unheard = false
        if (this.leads) this.send('ahead')
        return
      case 'waiting':
        if (this.timer !== undefined && boot.stage !== undefined) this.expect(boot.stage)
        return
      case 'failed':
        // Once untrusted code has run, it can send this too, so its text is not shown
        // as ours.
        if (this.awaited) this.fail(boot.code as FrameCode | undefined ?? 'worker-refused')
        else this.end(boot.code ?? 'worker-refused', 'A page of the sandbox says that it cannot go on.', 'Load the sandbox again, and check that Bellglass is still running.')
        return
      case 'ready':
        if (boot.view && !this.awaited) return
        if (boot.entry !== undefined) this.listener.enters(boot.entry)
        if (boot.view && (this.waits || boot.waits === true)) {
          // A warm view runs no untrusted code yet, so it may boot again.
          if (this.waits) this.awaited = false
          if (boot.entry !== undefined) this.entry = boot.entry
          if (this.leads && boot.controlled === true) this.expect('entry')
          else this.relax()
          this.complete = false
          frame.onload = () => (this.complete = true)
          this.listener.waiting(boot.controlled === true)
          return
        }
        this.showWhenLoaded(frame)
        if (!boot.view) return // it reloads itself
        this.awaited = false
        return // it goes to the entry by itself
      default:
        boot.phase satisfies never
    }
  }

  // begun is called when the view's own document has begun. A document that was opened in
  // advance now has no deadline until its entry exists.
  private begun(revision: number, path: string): void {
    if (this.leads) this.relax()
    this.complete = false // the one before, which has reloaded itself, may have loaded
    this.listener.greeted(revision, path)
    if (this.unheard) this.show()
  }

  // lead tells the boot page to open the entry as soon as the worker is in control. The
  // worker completes the document once the entry exists.
  lead(): void {
    this.leads = true
    this.send('ahead')
  }

  // stay restarts the view, which then waits in its boot page.
  stay(): void {
    this.leads = false
    this.start()
  }

  // follow shows the view once the document that it opened in advance has loaded.
  follow(): void {
    this.enters()
    if (this.complete) this.show()
  }

  private enters(): void {
    this.leads = false
    if (this.frame !== undefined) this.showWhenLoaded(this.frame)
  }

  // open tells the boot page to open the entry, which exists now. allow becomes the
  // allow attribute of this frame and of its replacements.
  open(allow: string): void {
    this.allow(allow)
    this.enters()
    this.send('now')
  }

  // proceed opens the entry of a warm view, which exists now. It navigates the frame from here,
  // because a frame that has waited for long may have lost its process, and then hears nothing.
  proceed(): void {
    const { frame } = this
    if (frame === undefined) return
    this.awaited = false
    this.showWhenLoaded(frame)
    // If the policy has changed while the view waited, the boot page loads in place of the entry.
    frame.onload = () => {
      if (this.greeted) return this.show()
      this.unheard = true
      clearTimeout(this.timer)
      this.timer = setTimeout(() => this.show(), greetingDeadline)
    }
    this.window?.location.replace(data.inner + this.entry)
  }

  // replace reloads the entry, because the document that was opened in advance is not right
  // for it.
  replace(allow: string): void {
    this.allow(allow)
    this.enters()
    this.window?.location.replace(`${data.inner}/`)
  }

  private allow(allow: string): void {
    this.pattern.allow = allow
    if (this.frame !== undefined) this.frame.allow = allow
  }

  private send(going: Going): void {
    const message: Open = { kind: 'open', going }
    this.window?.postMessage(message, data.inner)
  }

  measure(on: boolean): void {
    this.ports.measure(on)
  }

  // ask posts to the view's own document. It returns false if no document listens.
  ask(message: Update | Restore): boolean {
    return this.ports.ask(message)
  }

  // go navigates the frame to a path of the sandbox. With a fragment, the browser might load
  // nothing.
  go(path: string): void {
    this.window?.location.replace(data.inner + path.replace(/#.*$/s, ''))
  }

  // window is the view's own window, if there is one.
  get window(): Window | null {
    return this.frame?.contentWindow ?? null
  }

  // A boot page that is ready has loaded itself, so the next document that the frame
  // loads is the view's own.
  private showWhenLoaded(frame: HTMLIFrameElement): void {
    this.greeted = false
    this.expect('entry')
    frame.onload = () => this.show()
  }

  private show(): void {
    if (this.frame !== undefined) this.frame.onload = null
    this.unheard = false
    this.relax()
    // The report that the view is ready includes what the browser enforces.
    const { starts } = this
    void this.gate.level.then(() => {
      if (starts === this.starts) this.listener.ready()
    })
  }

  // listening tells the frame's document that this frame listens. Before the boot page
  // has started, its origin is not there yet, and naming it as the target would cause
  // an error in the console. The message has no secret, and its receivers check who
  // sent it. enough is what the document's policy accepts. Only a boot page whose policy does not
  // accept every browser waits for the result of the probe. Of any other, the sandbox's own document
  // may have taken the place by then.
  private listening(window: Window | null, enough: readonly Containment[] = []): void {
    const tell = (): void => {
      const message: Listening = { kind: 'listening', containment: this.gate.known }
      window?.postMessage(message, '*')
    }
    if (this.gate.known === '' && !enough.includes('csp')) void this.gate.level.then(tell)
    tell()
  }
}
