// The hidden frame in which executions run, at the inner origin. Its page is ours, and
// creates a worker for each execution.
import { paths, type Boot, type BootCode, type End, type Ping, type Run, type Stage } from '../protocol/protocol.gen'
import type { Gate } from './containment'
import { data } from './data'
import { Heartbeat } from './heartbeat'
import { readEnded, readFrameMessage, readSign } from './messages'

// For each stage of a boot, as in the view.
const stageDeadline = 30_000 // milliseconds
// A frame that has to end an execution and says nothing for this long is blocked, for
// instance by a loop in the view. It is removed with everything that runs in it. A frame
// that still says anything gets its turns, and ends the execution in one of them. With a
// hundred executions at once on a slow machine, that has taken seconds.
const silence = 10_000 // milliseconds

interface Listener {
  // ended: nothing of the execution runs any longer.
  ended(execution: string): void
  // failed: this frame runs nothing, now or later.
  failed(code: BootCode): void
}

export class Runner {
  private readonly frame = document.createElement('iframe')
  private readonly ending = new Set<string>()
  private held: ReturnType<typeof setTimeout> | undefined
  private waiting: (readonly [Run, MessagePort])[] | undefined = []
  private removed = false
  private heart: Heartbeat | undefined
  private boot: ReturnType<typeof setTimeout> | undefined
  private readonly receive = (event: MessageEvent<unknown>): void => this.hear(event)

  constructor(parent: HTMLElement, readonly revision: number, private readonly gate: Gate, private readonly listener: Listener) {
    this.frame.hidden = true
    if (data.sandbox !== null) this.frame.setAttribute('sandbox', data.sandbox)
    this.frame.src = data.inner + paths.run
    this.expect('page')
    addEventListener('message', this.receive)
    parent.append(this.frame)
  }

  run(message: Run, port: MessagePort): void {
    if (this.waiting !== undefined) this.waiting.push([message, port])
    else this.frame.contentWindow?.postMessage(message, data.inner, [port])
  }

  end(execution: string): void {
    if (this.removed) return
    if (this.waiting !== undefined) {
      this.waiting = this.waiting.filter(([message]) => message.execution !== execution)
      this.listener.ended(execution)
      return
    }
    const message: End = { kind: 'end', execution }
    this.frame.contentWindow?.postMessage(message, data.inner)
    this.ending.add(execution)
    if (this.ending.size === 1) this.listen()
  }

  // remove removes the frame, and with it everything that runs in it.
  remove(): void {
    this.removed = true
    this.heart?.stop()
    clearTimeout(this.boot)
    clearTimeout(this.held)
    removeEventListener('message', this.receive)
    this.frame.remove()
  }

  private fail(code: BootCode): void {
    this.remove()
    this.listener.failed(code)
  }

  private hear(event: MessageEvent<unknown>): void {
    if (event.origin !== data.inner || event.source !== this.frame.contentWindow) return
    const ended = readEnded(event.data)
    if (ended !== undefined) {
      this.ending.delete(ended.execution)
      this.listen()
      this.listener.ended(ended.execution)
      return
    }
    this.listen()
    if (readSign(event.data)?.kind === 'pong') return this.heart?.heard()
    const message = readFrameMessage(event.data)
    if (message?.kind === 'mismatch') this.fail('version-mismatch')
    else if (message?.kind === 'boot' && message.phase === 'started') void this.started(message)
    else if (message?.kind === 'boot' && message.phase === 'failed') this.fail(message.code ?? 'worker-refused')
    else if (message?.kind === 'boot' && message.phase === 'ready') this.ready()
    else if (message?.kind === 'boot' && message.phase === 'waiting' && this.waiting !== undefined) this.expect(message.stage ?? 'page')
  }

  // started: the page has reported what its policy demands. The page stops if the
  // browser does not give that.
  private async started({ enough }: Boot): Promise<void> {
    const missing = enough === undefined ? undefined : await this.gate.missing(enough)
    if (missing !== undefined && !this.removed) this.fail(missing.code)
  }

  // listen waits for the next message of the frame while an execution has to end.
  private listen(): void {
    clearTimeout(this.held)
    if (this.ending.size > 0) this.held = setTimeout(() => this.fail('page-timeout'), silence)
  }

  private expect(stage: Stage): void {
    clearTimeout(this.boot)
    this.boot = setTimeout(() => this.fail(`${stage}-timeout`), stageDeadline)
  }

  private ready(): void {
    clearTimeout(this.boot)
    const ping: Ping = { kind: 'ping' }
    this.heart ??= new Heartbeat(() => this.frame.contentWindow?.postMessage(ping, data.inner), () => this.fail('crashed'))
    const { waiting } = this
    this.waiting = undefined
    for (const [message, port] of waiting ?? []) this.run(message, port)
  }
}
