// The outer frame: shows the view only when it has loaded, tells the embedder
// where it stands, and carries events. It decides nothing: the rules are the
// server's, and no message from anywhere can change them.
import type { BootCode, Containment, StateMessage, ViewState } from '../protocol/protocol.gen'
import { element } from './data'
import { Embedder } from './embedder'
import { followEvents } from './events'
import { Reports } from './reports'
import { View } from './view'

let state: ViewState = 'booting'
let containment: Containment = ''
let failure: { readonly code: BootCode; readonly text: string; readonly advice: string } | undefined
let connected = false

const embedder = new Embedder(() => view.start())
const reports = new Reports()
const view = new View(element('view'), {
  booting: () => become('booting'),
  contained: (level) => {
    containment = level
  },
  ready: () => become('ready'),
  failed: (code, text, advice) => {
    failure = { code, text, advice }
    become('failed')
  },
  reported: (batch) => reports.add(batch),
})

function become(next: ViewState): void {
  state = next
  if (next !== 'failed') failure = undefined
  element('view').className = next === 'ready' ? '' : 'hidden'
  element('cover').dataset['state'] = next
  for (const part of ['text', 'advice', 'code'] as const) element(part).textContent = failure?.[part] ?? ''
  tell()
}

function tell(): void {
  const message: StateMessage = { kind: 'state', state, containment, connected, ...failure }
  embedder.state(message)
}

// The view tried to leave. The browser has refused, and the document is gone.
addEventListener('securitypolicyviolation', (event) => {
  if (event.effectiveDirective !== 'frame-src') return
  reports.left({ kind: 'violation', target: event.blockedURI, directive: event.effectiveDirective })
  view.end('navigation-blocked', `The sandbox tried to navigate to ${event.blockedURI}, and the browser refused.`, 'Load the sandbox again to start it anew.')
})

followEvents({
  event: (event, length) => embedder.event({ kind: 'event', event }, length),
  connected: (value) => {
    if (connected === value) return
    connected = value
    tell()
  },
})
view.start()
