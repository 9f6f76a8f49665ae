// Reports on their way to the server's log. The page can make as many as it
// likes, as long as it likes, so what waits here is bounded, and what is cut is
// counted.
import type { OuterReports, PageReport, Reports as Batch, ViolationReport } from '../protocol/protocol.gen'
import { data } from './data'
import { known, length } from './known'
import { post } from './post'

const waitingLimit = 1_000
const waitingLength = 2 << 20 // characters
const ownLimit = 100
// One batch: the server takes 4 MiB, and a character can take six bytes in JSON.
const batchLimit = 200
const batchLength = 512 << 10 // characters
// A count stays a whole number, whatever the page claims to have dropped.
const droppedLimit = 1e15

export class Reports {
  private waiting: PageReport[] = []
  private length = 0
  private own: ViolationReport[] = []
  private dropped = 0
  private sending = false

  add(batch: Batch): void {
    const reports: readonly unknown[] = batch.reports
    let taken = 0
    for (const report of reports.slice(0, waitingLimit)) {
      const kept = known(report)
      if (kept === undefined || this.waiting.length >= waitingLimit || this.length >= waitingLength) continue
      this.waiting.push(kept)
      this.length += length(kept)
      taken++
    }
    this.drop(reports.length - taken + batch.dropped)
    if (!this.sending) void this.send()
  }

  // left reports a navigation out of the view, which this frame saw itself.
  left(violation: ViolationReport): void {
    if (this.own.length < ownLimit) this.own.push(violation)
    else this.drop(1)
    if (!this.sending) void this.send()
  }

  private drop(count: number): void {
    this.dropped = Math.min(this.dropped + count, droppedLimit)
  }

  // What this frame saw itself travels alone, so that nothing which the page
  // reports, and nothing that it makes of a report, can take it along.
  private next(): OuterReports {
    if (this.own.length > 0) return { dropped: 0, page: [], outer: this.own.splice(0) }
    const { dropped } = this
    this.dropped = 0
    let [count, total] = [0, 0]
    for (const report of this.waiting.slice(0, batchLimit)) {
      total += length(report)
      if (count > 0 && total > batchLength) break
      count++
    }
    const page = this.waiting.splice(0, count)
    for (const report of page) this.length -= length(report)
    return { dropped, page, outer: [] }
  }

  private async send(): Promise<void> {
    this.sending = true
    while (this.waiting.length > 0 || this.own.length > 0 || this.dropped > 0) {
      const batch = this.next()
      // While this waits, what the page reports is bounded above.
      if (await post(data.reports, batch)) continue
      this.drop(batch.page.length + batch.outer.length + batch.dropped)
      if (batch.page.length === 0) break
    }
    this.sending = false
  }
}
