// The result of a run.
import { make } from '../host-page/dom'
import { oneLine } from '../host-page/text'
import { data, element } from './data'
import { button, say } from './head'
import type { Outcome, Verdict, View } from './shapes.gen'
import { Table } from './table'
import { Wall } from './wall'
import { containments, titles } from './words'

export function showResult(view: View, again: () => void): void {
  const { report, counts } = view
  element('progress').hidden = true
  element('head').dataset['verdict'] = view.verdict
  element('main').dataset['state'] = 'done'
  document.title = `${titles[view.verdict]} · Bellglass self-test`
  const extra = report.ended !== '' && view.verdict === 'escaped' ? ` ${data.endings[report.ended] ?? ''}` : ''
  say(titles[view.verdict], `${afterColon(view.summary)}${extra} ${rest(view.verdict, counts)}`)
  element('actions').replaceChildren(button('Run it again', again))
  facts(view)
  new Wall(report.rows.map((row) => row.name)).show(report.rows)
  new Table(view)
}

// afterColon returns the part of a summary that the title does not show.
function afterColon(summary: string): string {
  const text = summary.slice(summary.indexOf(':') + 2)
  return oneLine(text.charAt(0).toUpperCase() + text.slice(1))
}

function rest(verdict: Verdict, counts: Readonly<Record<string, number>>): string {
  const count = (outcome: Outcome): string => (counts[outcome] ?? 0).toLocaleString('en')
  const contained = verdict === 'contained' || verdict === 'known-open' ? '' : `${count('contained')} were contained, `
  return `Of the others, ${contained}${count('unproven')} prove nothing here and ${count('not-run')} were not run.`
}

function facts({ report }: View): void {
  const { browser } = report
  const entries: [string, string][] = [
    ['Browser', [browser.name, browser.version, browser.platform && `on ${browser.platform}`].filter((text) => text !== '').join(' ')],
    ['Containment', containments[report.containment] ?? report.containment],
    ['Measured', `${when(report.started)}, in ${report.seconds}\u00a0s`],
    ['Bellglass', report.bellglass],
  ]
  if (report.detail !== '') entries.push(['The last sandbox said', report.detail])
  element('facts').hidden = false
  element('facts').replaceChildren(...entries.map(([term, text]) => make('div', {}, make('dt', {}, term), make('dd', {}, oneLine(text) || 'unknown'))))
}

function when(time: string): string {
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? 'at an unknown time' : date.toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })
}
