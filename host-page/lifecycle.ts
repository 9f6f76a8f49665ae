// The events of the sandbox's own life and each load of the view, as separators in both lists.
import type { LifecycleEvent, Manner, Step } from '../protocol/protocol.gen'
import { icon, make } from './dom'
import { clock, oneLine, visible } from './text'

const words: Readonly<Record<Step, string>> = {
  created: 'created',
  // For these two the event's own text is enough.
  files: '',
  policy: '',
  refused: 'A change was rejected; the previous version stays in force',
  'left-out': 'Left out of the sandbox',
  'without-worker': 'No service worker',
  dropped: 'Events are missing here',
  ending: 'The server is shutting down',
  removed: 'The sandbox is gone',
}

function lifecycleRow(event: LifecycleEvent): HTMLLIElement {
  const time = make('time', { attributes: { datetime: event.time } }, clock(event.time))
  const warning = event.step === 'refused' || event.step === 'left-out' || event.step === 'without-worker' || event.step === 'dropped' || event.step === 'ending' || event.step === 'removed'
  const title = warning
    ? [icon('warn'), make('strong', {}, words[event.step])]
    : [make('strong', {}, `revision ${event.revision}`), words[event.step]]
  return make(
    'li',
    { class: warning ? 'lifecycle warning' : 'lifecycle', data: { testid: 'lifecycle', step: event.step } },
    make('span', { class: 'title' }, ...title),
    make('span', { class: 'text', title: visible(event.text) }, visible(event.text)),
    time,
  )
}

// A Load is a document that has begun in the view, or style sheets and modules that were replaced
// in place. Path and revision are the page's word. It is not an event of the log, so it can stand a
// little before or after events of the same time.
export interface Load {
  readonly type: 'load'
  readonly time: string
  readonly manner: Manner
  readonly path: string
  readonly revision: number
}

export function isSeparator(item: { readonly type: string }): item is LifecycleEvent | Load {
  return item.type === 'lifecycle' || item.type === 'load'
}

export function separatorRow(item: LifecycleEvent | Load): HTMLLIElement {
  return item.type === 'load' ? loadRow(item) : lifecycleRow(item)
}

const manners: Readonly<Record<Manner, string>> = { document: 'loaded', styles: 'style sheets replaced', modules: 'modules replaced', path: 'address changed' }

function loadRow({ time, manner, path, revision }: Load): HTMLLIElement {
  return make(
    'li',
    { class: 'lifecycle load', data: { testid: 'load', manner, revision: String(revision) } },
    make('span', { class: 'title' }, make('strong', {}, manners[manner]), `revision ${revision}`),
    make('span', { class: 'text', title: visible(path) }, oneLine(path)),
    make('time', { attributes: { datetime: time } }, clock(time)),
  )
}
