// One execution: its worker's reports, on their way to the server. The code in that
// worker can forge any of them, in any number, so the kept ones are bounded.
import type { Answered, Ask, ExecutionReports, FailureCode, Outcome } from '../protocol/protocol.gen'
import { data } from './data'
import { readAsk, readOutcome, readReports } from './messages'
import { post } from './post'
import { Waiting } from './waiting'

// An execution's worker sends at most 1,000 reports, one in each message, and two
// messages about its end.
const messageLimit = 2_000

export class Execution {
  private messages = 0
  private readonly waiting = new Waiting({ reports: 1_000, length: 1 << 20, again: false })
  private outcome: Outcome | undefined
  private sending = false

  // over is called once, when the execution has finished or the server no longer wants
  // its reports. Then none of it has to run any longer.
  constructor(private readonly id: string, private readonly port: MessagePort, private over: () => void, private readonly asks?: (ask: Ask, answer: (answer: Answered) => void) => void) {
    port.onmessage = (event: MessageEvent<unknown>) => this.receive(event.data)
  }

  // fail finishes an execution that this frame has ended.
  fail(code: FailureCode, message: string): void {
    this.end({ kind: 'outcome', result: '', failure: { code, name: 'Error', message, stack: '' }, dropped: 0 })
  }

  // close ends the execution without a report: the server knows.
  close(): void {
    this.port.close()
    this.waiting.clear()
    this.over()
    this.over = () => {}
  }

  private receive(message: unknown): void {
    if (++this.messages > messageLimit) {
      this.fail('message-flood', `It sent more than ${messageLimit} messages.`)
      return
    }
    const outcome = readOutcome(message, data.resultLimit)
    if (outcome !== undefined) {
      this.end(outcome)
      return
    }
    const ask = readAsk(message)
    if (ask !== undefined) {
      this.asks?.(ask, (answer) => this.port.postMessage(answer))
      return
    }
    const batch = readReports(message)
    if (batch === undefined) return
    this.waiting.add(batch)
    void this.send()
  }

  private end(outcome: Outcome): void {
    if (this.outcome !== undefined) return
    this.outcome = outcome
    this.waiting.drop(outcome.dropped)
    this.port.close()
    this.over()
    this.over = () => {}
    void this.send()
  }

  private async send(): Promise<void> {
    if (this.sending) return
    this.sending = true
    while (!this.waiting.empty() || this.outcome !== undefined) {
      const message = this.next()
      if (!(await post(data.executions, message))) {
        this.close()
        break
      }
      if (message.outcome != null) break
    }
    this.sending = false
  }

  private next(): ExecutionReports {
    const { dropped, page } = this.waiting.next()
    const outcome = this.waiting.empty() ? this.outcome : undefined
    return { execution: this.id, view: data.view, dropped, page, ...(outcome === undefined ? {} : { outcome: { ...outcome, dropped: 0 } }) }
  }
}
