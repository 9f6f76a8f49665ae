// The details of a row of the network list: every field, uncut.
import type { Source, VerdictEvent } from '../protocol/protocol.gen'
import { make } from './dom'
import { outcomeOf, outcomes, type Request } from './outcome'
import { visible } from './text'

const whose: Readonly<Record<Source, string>> = {
  server: 'server',
  worker: 'worker, which handled the request',
  outer: 'outer frame, around the sandbox',
  browser: 'browser, in its own report',
  page: 'page: untrusted code may have forged it',
}

export function details(request: Request): HTMLElement {
  const list = make('dl', { class: 'details' })
  for (const [name, value] of fields(request)) {
    if (value !== '') list.append(make('dt', {}, name), make('dd', {}, visible(value)))
  }
  return list
}

function fields(request: Request): readonly (readonly [string, string])[] {
  const file = request.file ?? ''
  const common = [
    ['Outcome', outcomes[outcomeOf(request)].word],
    ['Reason', request.reason],
    ['Rule', request.rule === undefined || request.rule === '' ? 'none' : request.rule],
    ['Defined at', file !== '' && request.line !== undefined ? `${file}:${request.line}` : file],
    ['Code', request.code],
  ] as const
  const last = [
    ['Revision', String(request.revision)],
    ['Source', whose[request.source]],
    ['Time', request.time],
    ['Event', String(request.id)],
  ] as const
  if (request.type === 'violation') {
    const { url = '', line = 0, col = 0 } = request.place
    return [['Target', request.target], ['Directive', request.directive], ...common, ['Caused at', url === '' ? '' : `${url}:${line}:${col}`], ...last]
  }
  return [
    ['URL', request.url],
    ['Request', `${request.method}, ${request.destination === '' ? 'by fetch() or XMLHttpRequest' : `destination ${request.destination}`}`],
    ...common,
    ['Status', statusOf(request)],
    ['File', request.virtual ? 'a virtual file of the sandbox' : ''],
    ...last,
  ]
}

function statusOf(request: VerdictEvent): string {
  if (request.opaque === true) return 'opaque response: the page requested it without CORS'
  return request.status === 0 ? 'network error' : String(request.status)
}
