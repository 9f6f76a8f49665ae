// A line above the view that names scripts that did not run. If a page needs them, its
// view stays blank, and only the lists would say why.
import type { Event } from '../protocol/protocol.gen'
import { element } from './data'
import { outcomeOf, type Request } from './outcome'
import { count, oneLine } from './text'
import { kindOf, short } from './verdict'

const scriptKinds = /^(?:script|worker|sharedworker|audioworklet|paintworklet|(?:script|worker)-src.*)$/

export class Notice {
  private failed = 0
  private first: Request | undefined

  constructor() {
    element('notice-close').addEventListener('click', () => this.clear())
  }

  // note receives each event. A new revision or another document starts again.
  note(event: Event): void {
    if (event.type === 'lifecycle' && (event.step === 'files' || event.step === 'policy')) this.clear()
    if (event.type !== 'verdict' && event.type !== 'violation') return
    if (!scriptKinds.test(kindOf(event)) || outcomeOf(event) === 'allow') return
    this.failed++
    this.first ??= event
    this.show(this.first)
  }

  clear(): void {
    this.failed = 0
    this.first = undefined
    element('notice').hidden = true
  }

  private show(first: Request): void {
    element('notice-title').textContent = this.failed === 1 ? 'A script did not run' : `${count(this.failed)} scripts did not run`
    const more = this.failed === 1 ? '' : ' The log lists all of them.'
    const status = first.type === 'verdict' && !first.virtual && first.status > 0 ? `the host answered ${first.status}` : oneLine(first.reason)
    element('notice-text').textContent = `${oneLine(short(first))}: ${status}.${more}`
    element('notice').hidden = false
  }
}
