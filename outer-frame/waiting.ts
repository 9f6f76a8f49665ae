// Reports that wait to be sent. Whoever makes them, a page or an execution, can make
// as many as it likes, as long as it likes, so what waits is bounded, and what is
// left out is counted.
import { batchSize, type PageReport, type Reports as Batch } from '../protocol/protocol.gen'
import { known, length } from './known'

// One batch: the server takes 4 MiB, beside an execution's result, and a character
// can take six bytes in JSON.
const batchLength = 512 << 10 // characters
// A count stays a whole number, whatever the code claims to have dropped.
const droppedLimit = 1e15

export interface Bounds {
  readonly reports: number
  // Once so many characters are there, no further report is taken.
  readonly length: number
  // What was sent makes room again. Without it, the bounds are for all that ever comes.
  readonly again: boolean
}

export class Waiting {
  private reports: PageReport[] = []
  // Of the bounds, so much is used.
  private count = 0
  private length = 0
  private dropped = 0

  constructor(private readonly bounds: Bounds) {}

  add(batch: Batch): void {
    const reports: readonly unknown[] = batch.reports
    let taken = 0
    for (const report of reports.slice(0, this.bounds.reports)) {
      const kept = known(report)
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

  // empty: there is nothing to send, not even a count.
  empty(): boolean {
    return this.reports.length === 0 && this.dropped === 0
  }

  // next takes out one batch, oldest first, with the count of what was left out.
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

  // clear forgets what waits, and its count.
  clear(): void {
    this.reports = []
    this.dropped = 0
  }
}
