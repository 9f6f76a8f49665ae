// The console list. Everything in it is the page's word.
import type { Level, LifecycleEvent } from '../protocol/protocol.gen'
import { element } from './data'
import { icon, make } from './dom'
import { isSeparator, separatorRow, type Load } from './lifecycle'
import { consoleRow, levelOf, levelWords, type Line } from './line'
import { Log } from './log'
import { count } from './text'

const levels: readonly Level[] = ['error', 'warn', 'info', 'log', 'debug']

export class Console {
  private readonly shown = new Set<Level>(levels)
  private readonly seen = new Map<Level, number>()
  private readonly counters = new Map<Level, HTMLElement>()
  private readonly log = new Log<Line | LifecycleEvent | Load>({
    name: 'console',
    render: (item) => (isSeparator(item) ? separatorRow(item) : consoleRow(item)),
    shown: (item) => isSeparator(item) || this.shown.has(levelOf(item)),
    expendable: (item) => item.type === 'load' || item.type === 'console' && item.level === 'debug',
    empty: (kept) => (kept > 0 ? 'No lines of these levels yet.' : 'The page has logged nothing yet.'),
  })

  constructor() {
    element('console-levels').append(...levels.map((level) => this.toggle(level)))
    element('console-clear').addEventListener('click', () => {
      this.seen.clear()
      this.log.clear()
      this.tell()
    })
    // Expanding a stack moves the list's end, and toggle does not bubble.
    element('console').addEventListener('toggle', () => this.log.look(), { capture: true })
    this.tell()
  }

  add(item: Line | LifecycleEvent | Load): void {
    if (!isSeparator(item)) {
      const level = levelOf(item)
      this.seen.set(level, (this.seen.get(level) ?? 0) + 1)
      this.tell()
    }
    this.log.add(item)
  }

  private toggle(level: Level): HTMLElement {
    const input = make('input', { attributes: { type: 'checkbox', name: 'level', value: level } })
    input.checked = true
    input.addEventListener('change', () => {
      if (input.checked) this.shown.add(level)
      else this.shown.delete(level)
      this.log.refilter()
    })
    const counter = make('span', { class: 'count' })
    this.counters.set(level, counter)
    return make('label', { title: levelWords[level], data: { level } }, input, icon(level), make('span', { class: 'word' }, levelWords[level]), counter)
  }

  private tell(): void {
    for (const [level, counter] of this.counters) counter.textContent = count(this.seen.get(level) ?? 0)
    const total = levels.reduce((sum, level) => sum + (this.seen.get(level) ?? 0), 0)
    element('console-count').textContent = total > 0 ? count(total) : ''
  }
}
