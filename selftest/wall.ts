// The wall: a cell for each technique, by family, and a legend.
import { make } from '../host-page/dom'
import { oneLine } from '../host-page/text'
import { element, families, techniques } from './data'
import type { Row } from './shapes.gen'
import { order, outcomes } from './words'

export class Wall {
  private readonly cells = new Map<string, HTMLElement>()

  constructor(names: Iterable<string>) {
    const rows: HTMLElement[] = []
    for (const [family, members] of families(names)) {
      // Techniques that were left out come last.
      const cells = members.toSorted((a, b) => Number(leftOut(a)) - Number(leftOut(b))).map((name) => {
        const cell = make('span', { class: 'cell', title: oneLine(name), data: { outcome: leftOut(name) ? 'not-run' : 'waiting' } })
        this.cells.set(name, cell)
        return cell
      })
      rows.push(make('div', { class: 'family' }, make('span', { class: 'label' }, oneLine(family)), make('span', { class: 'cells' }, ...cells)))
    }
    const legend = order.map((outcome) => make('span', {}, make('span', { class: 'cell', data: { outcome } }), outcomes[outcome].word))
    element('wall').replaceChildren(...rows, make('p', { class: 'legend' }, ...legend))
  }

  show(rows: readonly Row[]): void {
    for (const row of rows) {
      const cell = this.cells.get(row.name)
      if (cell === undefined) continue
      cell.dataset['outcome'] = row.outcome
      cell.title = `${oneLine(row.name)}: ${outcomes[row.outcome].word}`
    }
  }
}

function leftOut(name: string): boolean {
  return (techniques.get(name)?.left ?? '') !== ''
}
