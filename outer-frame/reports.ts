// Reports on their way to the server's log. The page can make as many as it
// likes, so what waits here is bounded, and what is cut is counted.
import type { OuterReports, PageReport, Reports as Batch, ViolationReport } from '../protocol/protocol.gen'
import { data } from './data'

const waitingLimit = 1_000
const batchLimit = 200

export class Reports {
  private waiting: PageReport[] = []
  private own: ViolationReport[] = []
  private dropped = 0
  private sending = false

  add(batch: Batch): void {
    const room = waitingLimit - this.waiting.length
    this.waiting.push(...batch.reports.slice(0, room))
    this.dropped += Math.max(0, batch.reports.length - room) + batch.dropped
    if (!this.sending) void this.send()
  }

  // left reports a navigation out of the view, which this frame saw itself.
  left(violation: ViolationReport): void {
    this.own.push(violation)
    if (!this.sending) void this.send()
  }

  // What this frame saw itself travels alone, so that nothing which the page
  // reports, and nothing that it makes of a report, can take it along.
  private next(): OuterReports {
    if (this.own.length > 0) return { dropped: 0, page: [], outer: this.own.splice(0) }
    const { dropped } = this
    this.dropped = 0
    return { dropped, page: this.waiting.splice(0, batchLimit), outer: [] }
  }

  private async send(): Promise<void> {
    this.sending = true
    while (this.waiting.length > 0 || this.own.length > 0 || this.dropped > 0) {
      const batch = this.next()
      try {
        // The page can report what cannot be written as JSON; then this throws.
        const body = JSON.stringify(batch)
        const response = await fetch(data.reports, { method: 'POST', body, headers: { 'Content-Type': 'application/json' } })
        if (response.ok) continue
        console.warn(`Bellglass: the server refused reports of the sandbox's page (${response.status}).`)
      } catch {
        // If the server is gone, the event stream tells the embedder so.
      }
      this.dropped += batch.page.length + batch.outer.length + batch.dropped
      if (batch.page.length === 0) break
    }
    this.sending = false
  }
}
