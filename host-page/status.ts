// The top bar, and what covers the stage when nothing runs.
import type { Containment, StateMessage, ViewState } from '../protocol/protocol.gen'
import type { Failure } from '../client/events'
import { data, element } from './data'
import { icon, make } from './dom'
import { oneLine, visible } from './text'

const stateWords: Readonly<Record<ViewState, string>> = { booting: 'Booting', warm: 'Waiting for files', ready: 'Ready', failed: 'Failed' }

const containments: Readonly<Record<Containment, { readonly word: string; readonly title: string; readonly text: string }>> = {
  '': {
    word: 'Not probed yet',
    title: 'Containment is not known yet',
    text: 'While the sandbox boots, Bellglass tests what this browser enforces.',
  },
  allowlist: {
    word: 'Allowlist enforced',
    title: 'allowlist: the browser itself enforces the allowlist',
    text: 'In a test, this browser blocked a connection that its Connection-Allowlist does not list. The allowlist covers every kind of connection except two: hostile code can still get out through WebRTC, and through preconnect hints that take effect after their page is gone.',
  },
  csp: {
    word: 'CSP only',
    title: 'csp: this browser has no Connection-Allowlist',
    text: 'Content-Security-Policy and the worker contain the sandbox. They do not cover DNS prefetch, preconnect, and, in some browsers, WebRTC. Some data can get out through these unseen.',
  },
  audit: {
    word: 'Audit: not contained',
    title: 'audit: requests that no rule matches are allowed',
    text: 'The policy says mode: audit, to show what a page requests. Requests that no rule matches leave this machine and are only logged. Do not run code here that you do not trust.',
  },
}

const shownPath = 200 // characters

interface Reason {
  readonly code?: string
  readonly text?: string
  readonly advice?: string
}

export class Status {
  private revision = 0
  private everConnected = false
  private answered = false

  constructor(reload: () => void) {
    element('name').textContent = element('name').title = oneLine(data.name)
    element('sandbox-url').textContent = element('sandbox-url').title = oneLine(data.sandboxUrl)
    element('selftest').hidden = !data.selfTest
    const grants = element('grants')
    grants.hidden = data.grants.length === 0
    grants.textContent = `granted: ${data.grants.join(', ')}`
    grants.title = `Granted to this sandbox in addition to the defaults: ${data.grants.join(', ')}`
    const policy = element('policy')
    policy.dataset['policy'] = data.policy
    policy.textContent = policy.title = data.policy === '' ? 'no policy: everything is blocked' : `policy ${oneLine(data.policy)}`
    for (const id of ['reload', 'retry']) element(id).addEventListener('click', reload)
    this.contain('')
    this.connection('Connecting', 'Waiting for the sandbox’s events.')
    closeOnLeaving(element('containment') as HTMLDetailsElement)
  }

  show(message: StateMessage): void {
    element('state').dataset['containment'] = message.containment
    this.contain(message.containment)
    this.state(message.state, message)
    if (message.code === 'sandbox-gone') this.connection('Sandbox gone', visible(`${message.text ?? ''} ${message.advice ?? ''}`))
    else this.connected(message.connected)
    this.answered = true
    element('connection').dataset['connected'] = String(message.connected)
  }

  // failed shows that this page stopped the sandbox.
  failed(failure: Failure): void {
    this.state('failed', failure)
  }

  private state(state: ViewState, reason: Reason): void {
    const pill = element('state')
    pill.dataset['state'] = state
    pill.dataset['code'] = reason.code ?? ''
    element('state-word').textContent = stateWords[state]
    if (state === 'failed') this.explain(reason)
    else element('failure').hidden = true
  }

  // explain covers the stage with the reason why nothing runs there.
  private explain({ code = '', text = '', advice = '' }: Reason): void {
    element('failure').hidden = false
    element('failure-text').textContent = visible(text)
    element('failure-advice').textContent = visible(advice)
    element('failure-code').textContent = oneLine(code)
  }

  // at shows the path of the view, which is the page's word.
  at(path: string): void {
    element('view-path').textContent = oneLine(path.slice(0, shownPath))
    element('view-path').title = visible(path)
  }

  reached(revision: number): void {
    if (revision <= this.revision) return
    this.revision = revision
    element('revision').textContent = String(revision)
  }

  // silent: the outer frame does not answer. If it never has, the browser most often could not
  // load it. Only a tab with the frame's address shows the reason.
  silent(): void {
    const text = 'The sandbox’s frame does not answer.'
    const advice = `Check that the server is running. Then open ${new URL(data.outerUrl).origin} in a tab: there the browser shows what is wrong with the name or its certificate. The command bellglass doctor checks both.`
    this.connection('No answer', `${text} ${advice} Bellglass retries automatically. Reload retries at once.`)
    if (!this.answered) this.explain({ code: 'no-answer', text, advice })
  }

  private connected(value: boolean): void {
    this.everConnected ||= value
    if (value) this.connection('', '')
    else if (this.everConnected) this.connection('Connection lost', 'Events from the server do not arrive. The lists may lack the newest ones. The browser retries automatically.')
    else this.connection('Connecting', 'Waiting for the sandbox’s events.')
  }

  private connection(word: string, explanation: string): void {
    const note = element('connection')
    note.hidden = word === ''
    note.title = explanation
    note.dataset['lost'] = String(word !== '' && word !== 'Connecting')
    note.replaceChildren(icon('link'), word)
  }

  private contain(level: Containment): void {
    const { word, title, text } = containments[level]
    element('containment').dataset['level'] = level
    element('containment-word').replaceChildren(make('span', { class: 'gauge' }), word)
    element('containment-word').title = title
    element('containment-title').textContent = title
    element('containment-text').textContent = text
  }
}

// closeOnLeaving closes an explanation as people expect: on Escape, and when the focus
// or a click goes elsewhere.
function closeOnLeaving(box: HTMLDetailsElement): void {
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape') box.open = false
  })
  addEventListener('pointerdown', (event) => {
    if (event.target instanceof Node && !box.contains(event.target)) box.open = false
  })
  // A click into the sandbox shows only as a blur of this window.
  addEventListener('blur', () => {
    box.open = false
  })
}
