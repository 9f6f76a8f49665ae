// The network list: every request, with its verdict and the reason.
import type { LifecycleEvent } from '../protocol/protocol.gen'
import { data, element } from './data'
import { icon, make, type Icon } from './dom'
import { isSeparator, separatorRow, type Load } from './lifecycle'
import { Log } from './log'
import { outcomeOf, outcomes, type Request } from './outcome'
import { count } from './text'
import { isVirtual, kindOf, url, verdictRow } from './verdict'

// A missing file of the sandbox counts as failed.
type Choice = 'all' | 'block' | 'fail' | 'allow'

const choices: readonly { readonly choice: Choice; readonly word: string; readonly icon?: Icon }[] = [
  { choice: 'all', word: 'All' },
  { choice: 'block', word: outcomes.block.word, icon: outcomes.block.icon },
  { choice: 'fail', word: outcomes.fail.word, icon: outcomes.fail.icon },
  { choice: 'allow', word: outcomes.allow.word, icon: outcomes.allow.icon },
]

function choiceOf(request: Request): Choice {
  const outcome = outcomeOf(request)
  return outcome === 'missing' ? 'fail' : outcome
}

// isServed reports whether the sandbox's own file was served. There are many of these,
// and few people look for them.
function isServed(request: Request): boolean {
  return isVirtual(request) && outcomeOf(request) === 'allow'
}

export class Network {
  private choice: Choice = 'all'
  private virtual = false
  private terms: readonly string[] = []
  // Counted since the page was opened, including entries that the list has dropped.
  private readonly seen = { all: 0, block: 0, fail: 0, allow: 0, virtual: 0 }
  private readonly counters = new Map<Choice, HTMLElement>()
  private readonly log = new Log<Request | LifecycleEvent | Load>({
    name: 'network',
    render: (item) => (isSeparator(item) ? separatorRow(item) : verdictRow(item, () => this.log.look())),
    shown: (item) => this.shown(item),
    expendable: (item) => item.type === 'load' || item.type !== 'lifecycle' && isVirtual(item),
    empty: (kept) => this.emptyText(kept),
  })

  constructor() {
    element('network-choice').append(...choices.map((entry) => this.radio(entry.choice, entry.word, entry.icon)))
    const toggle = element('network-virtual')
    toggle.addEventListener('click', () => {
      this.virtual = !this.virtual
      toggle.setAttribute('aria-pressed', String(this.virtual))
      this.log.refilter()
    })
    const search = element('network-search') as HTMLInputElement
    search.addEventListener('input', () => {
      this.terms = search.value.toLowerCase().split(/\s+/).filter((term) => term !== '')
      this.log.refilter()
    })
    walkable(element('network-scroller'))
    this.tell()
  }

  add(item: Request | LifecycleEvent | Load): void {
    if (!isSeparator(item)) {
      if (isServed(item)) {
        this.seen.virtual++
      } else {
        this.seen.all++
        this.seen[choiceOf(item)]++
      }
      this.tell()
    }
    this.log.add(item)
  }

  private radio(choice: Choice, word: string, symbol: Icon | undefined): HTMLElement {
    const input = make('input', { attributes: { type: 'radio', name: 'verdicts', value: choice } })
    input.checked = choice === this.choice
    input.addEventListener('change', () => {
      this.choice = choice
      this.log.refilter()
    })
    const counter = make('span', { class: 'count', data: { testid: `count-${choice}` } })
    this.counters.set(choice, counter)
    return make('label', { data: { choice } }, input, ...(symbol === undefined ? [] : [icon(symbol)]), word, counter)
  }

  private tell(): void {
    for (const [choice, counter] of this.counters) counter.textContent = count(this.seen[choice])
    element('virtual-count').textContent = count(this.seen.virtual)
    element('network-count').textContent = this.seen.all > 0 ? count(this.seen.all) : ''
  }

  private shown(item: Request | LifecycleEvent | Load): boolean {
    if (item.type === 'load') return this.matches(['loaded', item.path])
    if (item.type === 'lifecycle') return this.matches([item.step, item.text])
    if (isServed(item) && !this.virtual) return false
    if (this.choice !== 'all' && choiceOf(item) !== this.choice) return false
    const { rule = '', file = '' } = item
    return this.matches([outcomes[outcomeOf(item)].word, url(item), rule, file, item.code, item.reason, kindOf(item), item.type === 'verdict' ? item.method : 'browser'])
  }

  private matches(texts: readonly string[]): boolean {
    const text = texts.join('\n').toLowerCase()
    return this.terms.every((term) => text.includes(term))
  }

  private emptyText(kept: number): string {
    if (this.terms.length > 0) return 'Nothing here matches the filter.'
    if (kept > 0) return 'Nothing of this kind yet.'
    return data.policy === '' ? 'No request yet. Without a policy, each one will be blocked.' : 'No request yet.'
  }
}

// walkable makes the arrow keys move from row to row. The rows are not tab stops: with
// 2,000 of them, nothing after the list would be reachable.
function walkable(scroller: HTMLElement): void {
  scroller.addEventListener('keydown', (event) => {
    if (!['ArrowDown', 'ArrowUp', 'Home', 'End'].includes(event.key) || event.altKey || event.ctrlKey || event.metaKey) return
    const heads = Array.from(scroller.querySelectorAll<HTMLElement>('li:not([hidden]) > .head'))
    const at = heads.findIndex((head) => head === document.activeElement)
    const target = {
      ArrowDown: heads[at === -1 ? heads.length - 1 : at + 1],
      ArrowUp: heads[at === -1 ? heads.length - 1 : at - 1],
      Home: heads[0],
      End: heads.at(-1),
    }[event.key]
    if (target === undefined) return
    event.preventDefault()
    target.focus()
  })
}
