// Reports that wait to be sent. Their source, a page or an execution, can make as many
// as it likes, at any length. So the queue is bounded, and dropped reports are counted.
import { batchSize, type PageReport, type Reports as Batch } from '../protocol/protocol.gen'
import { length, sanitize } from './sanitize'

// One batch. The server accepts 4 MiB in addition to an execution's result, and a
// character can take six bytes in JSON.
const batchLength = 512 << 10 // characters
// A count stays an exact integer, whatever the code claims to have dropped.
const droppedLimit = 1e15

export interface Bounds {
  readonly reports: number
  // Once this many characters wait, no further report is accepted.
  readonly length: number
  // Whether sending makes room again. Without it, the bounds are for all reports ever.
  readonly again: boolean
}

export class Waiting {
  private reports: PageReport[] = []
  // How much of the bounds is used.
  private count = 0
  private length = 0
  private dropped = 0

  constructor(private readonly bounds: Bounds) {}

  add(batch: Batch): void {
    const reports: readonly unknown[] = batch.reports
    let taken = 0
    for (const report of reports.slice(0, this.bounds.reports)) {
      const kept = sanitize(report)
      if (kept === undefined || this.count >= this.bounds.reports || this.length >= this.bounds.length) continue
      this.reports.push(kept)
      this.count++
      this.length += length(kept)
      taken++
    }
    this.drop(reports.length - taken + batch.dropped)
  }

  // drop counts reports that are left out.
  drop(count: number): void {
    this.dropped = Math.min(this.dropped + count, droppedLimit)
  }

  // empty reports whether there is nothing to send, not even a count.
  empty(): boolean {
    return this.reports.length === 0 && this.dropped === 0
  }

  // next removes and returns one batch, the oldest reports first, with the count of
  // dropped ones.
  next(): { readonly dropped: number, readonly page: PageReport[] } {
    const { dropped } = this
    this.dropped = 0
    let [count, total] = [0, 0]
    for (const report of this.reports.slice(0, batchSize)) {
      total += length(report)
      if (count > 0 && total > batchLength) break
      count++
    }
    const page = this.reports.splice(0, count)
    if (this.bounds.again) {
      this.count -= count
      for (const report of page) this.length -= length(report)
    }
    return { dropped, page }
  }

  // clear drops everything that waits, and the count.
  clear(): void {
    this.reports = []
    this.dropped = 0
  }
}
