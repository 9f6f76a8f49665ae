// Reports on their way to the server's log.
import type { OuterReports, Reports as Batch, ViolationReport } from '../protocol/protocol.gen'
import { data } from './data'
import { post } from './post'
import { Waiting } from './waiting'

const ownLimit = 100

export class Reports {
  private readonly waiting = new Waiting({ reports: 1_000, length: 2 << 20, again: true })
  private own: ViolationReport[] = []
  private sending = false

  add(batch: Batch): void {
    this.waiting.add(batch)
    if (!this.sending) void this.send()
  }

  // left reports a navigation out of the view, which this frame observed itself.
  left(violation: ViolationReport): void {
    if (this.own.length < ownLimit) this.own.push(violation)
    else this.waiting.drop(1)
    if (!this.sending) void this.send()
  }

  // This frame's own observations travel in a batch of their own. So if a batch with the
  // page's reports is lost, they are not.
  private next(): OuterReports {
    if (this.own.length > 0) return { view: data.view, dropped: 0, page: [], outer: this.own.splice(0) }
    return { view: data.view, ...this.waiting.next(), outer: [] }
  }

  private async send(): Promise<void> {
    this.sending = true
    while (this.own.length > 0 || !this.waiting.empty()) {
      const batch = this.next()
      // The page's reports stay bounded while this waits.
      if (await post(data.reports, batch)) continue
      this.waiting.drop(batch.page.length + batch.outer.length + batch.dropped)
      if (batch.page.length === 0) break
    }
    this.sending = false
  }
}
