// The table of the result. Some texts come from hostile code. The table inserts each of them
// as text only.
import { icon, make } from '../host-page/dom'
import { oneLine } from '../host-page/text'
import { element, techniques } from './data'
import type { Outcome, Row, Stray, View } from './shapes.gen'
import { arrived, note, order, outcomes, underGlass, withoutGlass } from './words'

export class Table {
  private readonly rows: { readonly shown: HTMLTableRowElement; readonly outcome: Outcome; readonly text: string }[] = []
  private outcome: Outcome
  private readonly search = element('search') as HTMLInputElement

  constructor(view: View) {
    const { report, counts } = view
    for (const stray of report.strays) this.add(strayRow(stray), 'escaped', stray.batch)
    for (const row of report.rows) this.add(tableRow(row), row.outcome, `${row.name} ${techniques.get(row.name)?.about ?? ''} ${note(row)}`)
    element('rows').replaceChildren(...this.rows.map(({ shown }) => shown))
    const strays = report.strays.length
    const count = (outcome: Outcome): number => (counts[outcome] ?? 0) + (outcome === 'escaped' ? strays : 0)
    this.outcome = count('escaped') > 0 ? 'escaped' : count('known-open') > 0 ? 'known-open' : count('contained') > 0 ? 'contained' : 'not-run'
    element('choice').replaceChildren(...order.map((outcome) => this.choice(outcome, count(outcome))))
    this.search.addEventListener('input', () => this.filter())
    element('results').hidden = false
    this.filter()
  }

  private add(shown: HTMLTableRowElement, outcome: Outcome, text: string): void {
    this.rows.push({ shown, outcome, text: text.toLowerCase() })
  }

  private choice(outcome: Outcome, count: number): HTMLElement {
    const input = make('input', { attributes: { type: 'radio', name: 'outcome', value: outcome } })
    input.checked = outcome === this.outcome
    input.addEventListener('change', () => {
      this.outcome = outcome
      this.filter()
    })
    return make('label', { data: { outcome, testid: `choice-${outcome}`, count } }, input, icon(outcomes[outcome].icon), outcomes[outcome].word, make('span', { class: 'count' }, count.toLocaleString('en')))
  }

  private filter(): void {
    const words = this.search.value.toLowerCase().split(/\s+/)
    let shown = 0
    for (const row of this.rows) {
      const matches = row.outcome === this.outcome && words.every((word) => row.text.includes(word))
      row.shown.hidden = !matches
      if (matches) shown++
    }
    element('empty').hidden = shown > 0
    element('meaning').textContent = outcomes[this.outcome].meaning
  }
}

function tableRow(row: Row): HTMLTableRowElement {
  const about = techniques.get(row.name)?.about ?? ''
  const said = note(row)
  return make(
    'tr',
    { data: { testid: 'row', name: row.name, outcome: row.outcome } },
    make('th', { attributes: { scope: 'row' } },
      make('code', {}, oneLine(row.name)),
      ...(about === '' ? [] : [make('span', { class: 'about' }, oneLine(about))]),
      ...(said === '' ? [] : [make('span', { class: 'note' }, oneLine(said))])),
    cell('Without glass', withoutGlass(row)),
    cell('Under glass', underGlass(row)),
    outcomeCell(row.outcome),
  )
}

function strayRow(stray: Stray): HTMLTableRowElement {
  return make(
    'tr',
    { data: { testid: 'stray', name: stray.batch, outcome: 'escaped' } },
    make('th', { attributes: { scope: 'row' } },
      make('code', {}, `one of ${stray.rows}`),
      make('span', { class: 'about' }, `Something reached the port of the page that began with ${oneLine(stray.batch)} and named none of its techniques.`)),
    cell('Without glass', ''),
    cell('Under glass', arrived(stray.seen)),
    outcomeCell('escaped'),
  )
}

function cell(heading: string, text: string): HTMLTableCellElement {
  return make('td', { data: { heading, nothing: text === 'nothing' } }, text)
}

function outcomeCell(outcome: Outcome): HTMLTableCellElement {
  return make('td', { class: 'outcome', data: { outcome } }, icon(outcomes[outcome].icon), outcomes[outcome].word)
}
