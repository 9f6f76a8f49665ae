// One row of the console list.
import type { ConsoleEvent, ErrorEvent, Level } from '../protocol/protocol.gen'
import { icon, make } from './dom'
import { clock, oneLine, position, visible } from './text'

export type Line = ConsoleEvent | ErrorEvent

export const levelWords: Readonly<Record<Level, string>> = { error: 'Error', warn: 'Warning', info: 'Info', log: 'Log', debug: 'Debug' }

export function levelOf(line: Line): Level {
  return line.type === 'error' ? 'error' : line.level
}

export function consoleRow(line: Line): HTMLLIElement {
  const level = levelOf(line)
  const word = line.type === 'error' ? 'Uncaught' : levelWords[level]
  return make(
    'li',
    { class: 'line', data: { testid: 'console-line', level, kind: line.type } },
    make('span', { class: 'level', title: word }, icon(level), make('span', { class: 'unseen' }, `${word}: `)),
    make('div', { class: 'text' }, ...mark(line), visible(line.text)),
    make('span', { class: 'origin' }, ...place(line), make('time', { attributes: { datetime: line.time } }, clock(line.time))),
    ...stack(line),
  )
}

// Some browsers begin such a message with this word themselves.
function mark(line: Line): HTMLElement[] {
  return line.type === 'error' && !/^uncaught/i.test(line.text) ? [make('span', { class: 'tag' }, 'uncaught')] : []
}

function place(line: Line): HTMLElement[] {
  const short = position(line.place.url, line.place.line)
  if (short === '') return []
  const { url = '', line: number = 0, col = 0 } = line.place
  return [make('span', { class: 'place', title: visible(`${url}:${number}:${col}`) }, oneLine(short))]
}

function stack(line: Line): HTMLElement[] {
  if (line.type !== 'error' || line.stack === undefined || line.stack === '') return []
  return [make('details', {}, make('summary', {}, icon('open'), 'Stack'), make('pre', {}, visible(line.stack)))]
}
