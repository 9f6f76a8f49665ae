// One row of the network list: a verdict of the worker, or a refusal by the browser
// itself.
import type { Source } from '../protocol/protocol.gen'
import { address } from './address'
import { data } from './data'
import { details } from './details'
import { icon, make } from './dom'
import { outcomeOf, outcomes, type Request } from './outcome'
import { clock, oneLine, position, visible } from './text'

export function url(request: Request): string {
  return request.type === 'verdict' ? request.url : request.target
}

// kindOf returns what the request was for. The Fetch standard gives fetch() and
// XMLHttpRequest the empty destination; the rules call that type fetch.
export function kindOf(request: Request): string {
  if (request.type === 'violation') return request.directive
  return request.destination === '' ? 'fetch' : request.destination
}

// short omits the sandbox's own host, which would take the path's room.
export function short(request: Request): string {
  const { origin } = new URL(data.sandboxUrl)
  const whole = url(request)
  return isVirtual(request) && whole.startsWith(`${origin}/`) ? whole.slice(origin.length) : whole
}

export function isVirtual(request: Request): boolean {
  return request.type === 'verdict' && request.virtual
}

export function verdictRow(request: Request, opened: () => void): HTMLLIElement {
  const head = make(
    'button',
    { class: 'head', attributes: { type: 'button', 'aria-expanded': 'false', tabindex: '-1' } },
    outcome(request),
    make('span', { class: 'what', title: visible(url(request)) }, ...method(request), address(short(request))),
    make('time', { attributes: { datetime: request.time } }, clock(request.time)),
    grounds(request),
  )
  const row = make(
    'li',
    {
      class: 'verdict',
      data: {
        testid: 'verdict',
        action: request.action,
        outcome: outcomeOf(request),
        rule: request.rule,
        code: request.code,
        url: url(request),
        source: request.source,
        line: request.line,
        virtual: isVirtual(request),
        type: kindOf(request),
      },
    },
    head,
  )
  let body: HTMLElement | undefined
  head.addEventListener('click', () => {
    // Created on demand: most rows are never opened.
    if (body === undefined) {
      body = details(request)
      body.hidden = true
      row.append(body)
    }
    body.hidden = !body.hidden
    head.setAttribute('aria-expanded', String(!body.hidden))
    opened()
  })
  return row
}

function outcome(request: Request): HTMLElement {
  const { word, icon: symbol } = outcomes[outcomeOf(request)]
  return make('span', { class: 'outcome' }, icon(symbol), word)
}

function method(request: Request): HTMLElement[] {
  return request.type === 'verdict' ? [make('span', { class: 'method' }, oneLine(request.method))] : []
}

const reporters: Partial<Readonly<Record<Source, string>>> = { browser: 'The browser reported it.', page: 'The page reported it.' }

// grounds is the second line: the purpose, who decided, where the rule is, and why.
function grounds(request: Request): HTMLElement {
  const line = make('span', { class: 'grounds' })
  if (request.type === 'violation') {
    line.append(make('span', { class: 'tag', title: `The browser itself blocked this before it reached the worker. ${reporters[request.source] ?? 'The outer frame reported it.'}` }, 'browser'))
  }
  line.append(make('span', { class: 'type' }, oneLine(kindOf(request))))
  if (request.type === 'verdict' && request.status > 0 && request.action === 'allow') {
    line.append(make('span', { class: request.status >= 400 ? 'status bad' : 'status' }, String(request.status)))
  }
  line.append(make('span', { class: 'rule' }, oneLine(request.rule ?? '') || oneLine(request.code)))
  const place = position(request.file, request.line)
  if (place !== '') line.append(make('span', { class: 'place', title: visible(request.file ?? '') }, oneLine(place)))
  if (request.reason !== '') line.append(make('span', { class: 'reason', title: visible(request.reason) }, oneLine(request.reason)))
  return line
}
