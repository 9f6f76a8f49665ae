// The events of the sandbox's own life, as separators in both lists.
import type { LifecycleEvent, Step } from '../protocol/protocol.gen'
import { icon, make } from './dom'
import { clock, visible } from './text'

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

export function lifecycleRow(event: LifecycleEvent): HTMLLIElement {
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
