// One execution: what its worker reports, on the way to the server. The code in that
// worker can make any of it, as much as it likes, so what is kept is bounded.
import type { ExecutionReports, FailureCode, Finish, PageReport } from '../protocol/protocol.gen'
import { data } from './data'
import { known, length } from './known'
import { readFinish, readReports } from './messages'
import { post } from './post'

// Of one execution as many reports, of so many characters, are told.
const reportLimit = 1_000
const lengthLimit = 1 << 20
// One batch: the server takes 4 MiB beside the result.
const batchLimit = 200
const batchLength = 512 << 10 // characters
// A count stays a whole number, whatever the code claims to have dropped.
const droppedLimit = 1e15

export class Execution {
  private waiting: PageReport[] = []
  private count = 0
  private length = 0
  private dropped = 0
  private finish: Finish | undefined
  private sending = false

  // over is called once, when the execution has finished or the server does not
  // want to hear of it: nothing of it need run any longer.
  constructor(private readonly id: string, private readonly port: MessagePort, private over: () => void) {
    port.onmessage = (event: MessageEvent<unknown>) => this.receive(event.data)
  }

  // fail finishes an execution that the frame around it has ended.
  fail(code: FailureCode, message: string): void {
    this.end({ kind: 'finish', result: '', failure: { code, name: 'Error', message, stack: '' }, dropped: 0 })
  }

  // close ends it without a word: the server knows.
  close(): void {
    this.port.close()
    this.waiting = []
    this.dropped = 0
    this.over()
    this.over = () => {}
  }

  private receive(message: unknown): void {
    const finish = readFinish(message, data.resultLimit)
    if (finish !== undefined) {
      this.end(finish)
      return
    }
    const batch = readReports(message)
    if (batch === undefined) return
    const reports: readonly unknown[] = batch.reports
    let taken = 0
    for (const report of reports.slice(0, reportLimit)) {
      const kept = known(report)
      if (kept === undefined || this.count >= reportLimit || this.length >= lengthLimit) continue
      this.waiting.push(kept)
      this.count++
      this.length += length(kept)
      taken++
    }
    this.dropped = Math.min(this.dropped + batch.dropped + reports.length - taken, droppedLimit)
    void this.send()
  }

  private end(finish: Finish): void {
    if (this.finish !== undefined) return
    this.finish = finish
    this.dropped = Math.min(this.dropped + finish.dropped, droppedLimit)
    this.port.close()
    this.over()
    this.over = () => {}
    void this.send()
  }

  private async send(): Promise<void> {
    if (this.sending) return
    this.sending = true
    while (this.waiting.length > 0 || this.dropped > 0 || this.finish !== undefined) {
      const message = this.next()
      if (!(await post(data.executions, message))) {
        this.close()
        break
      }
      if (message.finish != null) break
    }
    this.sending = false
  }

  private next(): ExecutionReports {
    const { dropped } = this
    this.dropped = 0
    let [count, total] = [0, 0]
    for (const report of this.waiting.slice(0, batchLimit)) {
      total += length(report)
      if (count > 0 && total > batchLength) break
      count++
    }
    const page = this.waiting.splice(0, count)
    const finish = this.waiting.length === 0 ? this.finish : undefined
    return { execution: this.id, dropped, page, ...(finish === undefined ? {} : { finish: { ...finish, dropped: 0 } }) }
  }
}
