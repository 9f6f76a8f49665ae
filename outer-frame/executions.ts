// The executions that the server requests. They start once the view is ready: whatever
// keeps the view from running keeps them from running, too.
import type { Answered, Ask, BootCode, End, FailureCode, Run } from '../protocol/protocol.gen'
import type { Gate } from './containment'
import { Execution } from './execution'
import { Isolated } from './isolated'
import { Runner } from './runner'

interface Running {
  readonly execution: Execution
  readonly runner: Runner | Isolated
  readonly timer: ReturnType<typeof setTimeout>
  over: boolean
}

// The server ends an execution that takes too long. This is for when it cannot.
const grace = 5_000 // milliseconds

const crashed = 'The browser ended the process in which it ran, most often because the memory was used up.'

export class Executions {
  private readonly running = new Map<string, Running>()
  // Runs that wait for the view; undefined if there is nothing to wait for.
  private waiting: Run[] | undefined = []
  private failure: BootCode | undefined
  private runners: Runner[] = []

  // asks is called with each request of a run's code to the page above.
  constructor(private readonly parent: HTMLElement, private readonly gate: Gate, private readonly asks: (run: Run, ask: Ask, answer: (answer: Answered) => void) => void) {}

  asked(message: Run | End): void {
    switch (message.kind) {
      case 'run':
        if (this.waiting !== undefined) this.waiting.push(message)
        else this.start(message)
        return
      case 'end':
        if (this.waiting !== undefined) this.waiting = this.waiting.filter((run) => run.execution !== message.execution)
        this.running.get(message.execution)?.execution.close()
        return
      default:
        message satisfies never
    }
  }

  // busy reports whether something runs or waits here and needs the server's stream.
  busy(): boolean {
    return this.running.size > 0 || (this.waiting !== undefined && this.waiting.length > 0)
  }

  // hold makes new executions wait until the view is ready or has failed.
  hold(): void {
    this.waiting ??= []
  }

  ready(): void {
    this.failure = undefined
    this.begin()
  }

  // failed: the view does not run, so no other code of the sandbox does. If its process
  // has ended, the next frame gets a new one.
  failed(code: BootCode): void {
    if (code === 'crashed') {
      this.stop(code, crashed)
      this.begin()
      return
    }
    this.stop('view-closed', 'The page that shows the sandbox has stopped it.')
    this.failure = code
    this.begin()
  }

  // stop ends everything that runs, with a reason, or without one if the server knows
  // it.
  stop(code?: FailureCode, message = ''): void {
    for (const { execution } of this.running.values()) {
      if (code === undefined) execution.close()
      else execution.fail(code, message)
    }
    for (const runner of this.runners.splice(0)) runner.remove()
    for (const { runner } of this.running.values()) runner.remove()
    this.running.clear()
    if (code === undefined && this.waiting !== undefined) this.waiting = []
  }

  private begin(): void {
    const waiting = this.waiting ?? []
    this.waiting = undefined
    for (const message of waiting) this.start(message)
  }

  private start(message: Run): void {
    const { port1, port2 } = new MessageChannel()
    if (this.failure !== undefined) {
      new Execution(message.execution, port1, () => {}).fail('view-failed', `The page that shows the sandbox cannot run it: ${this.failure}.`)
      return
    }
    const id = message.execution
    const runner = message.isolated ? this.isolate(message, port2) : this.runnerFor(message.revision)
    const running: Running = {
      runner,
      execution: new Execution(id, port1, () => {
        clearTimeout(running.timer)
        running.over = true
        runner.end(id)
      }, (ask, answer) => this.asks(message, ask, answer)),
      timer: setTimeout(() => running.execution.fail('timeout', 'It took too long, and the server did not end it.'), message.timeout + grace),
      over: false,
    }
    this.running.set(id, running)
    if (runner instanceof Runner) runner.run(message, port2)
  }

  private isolate(message: Run, port: MessagePort): Isolated {
    const isolated = new Isolated(this.parent, message, port, {
      ended: (id) => this.ended(id),
      failed: (code) => this.gone(isolated, code),
    })
    return isolated
  }

  // runnerFor returns the frame of this revision or a later one. A page keeps the
  // policy with which it was loaded.
  private runnerFor(revision: number): Runner {
    const last = this.runners.at(-1)
    if (last !== undefined && last.revision >= revision) return last
    const runner = new Runner(this.parent, revision, this.gate, {
      ended: (id) => this.ended(id),
      failed: (code) => this.gone(runner, code),
    })
    this.runners.push(runner)
    this.tidy()
    return runner
  }

  private ended(id: string): void {
    const running = this.running.get(id)
    if (running === undefined) return
    this.running.delete(id)
    if (!running.over) running.execution.fail('view-failed', 'The sandbox could not load the code: its service worker is gone, or the policy has just changed. Try again.')
    this.tidy()
  }

  private gone(runner: Runner | Isolated, code: BootCode): void {
    this.runners = this.runners.filter((other) => other !== runner)
    for (const [id, running] of this.running) {
      if (running.runner !== runner) continue
      this.running.delete(id)
      if (running.over) continue
      if (code === 'crashed') running.execution.fail(code, crashed)
      else running.execution.fail('view-failed', `The page that shows the sandbox cannot run code: ${code}.`)
    }
  }

  // tidy removes the frames of earlier revisions in which nothing runs any longer.
  private tidy(): void {
    const used = new Set<unknown>([this.runners.at(-1), ...[...this.running.values()].map(({ runner }) => runner)])
    for (const runner of this.runners) if (!used.has(runner)) runner.remove()
    this.runners = this.runners.filter((runner) => used.has(runner))
  }
}
