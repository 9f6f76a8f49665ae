// The outer frame. It shows the view once that has loaded, tells the embedder its
// state, and relays events. It decides nothing: the server owns the rules, and no
// message can change them.
import type { BootCode, Containment, Event, StateMessage, ViewState } from '../protocol/protocol.gen'
import { App } from './app'
import { Gate } from './containment'
import { data, element } from './data'
import { Embedder } from './embedder'
import { followEvents, incarnation } from './events'
import { Executions } from './executions'
import { Live } from './live'
import { Reports } from './reports'
import { Tools } from './tools'
import { View } from './view'

let state: ViewState = 'booting'
interface Failure {
  readonly code: BootCode
  readonly text: string
  readonly advice: string
}

let failure: Failure | undefined
// Whether the server's events arrive. Until the frame's first turn (slots.ts) nobody knows.
let connected: boolean | undefined
let containment: Containment = ''
// Set once the sandbox is gone. What has been loaded continues; nothing else loads.
let gone: Failure | undefined

// isWarm: the sandbox has no files yet. waits: the view has booted, and waits for the files.
let isWarm = data.warm
let waits = false

const embedder = new Embedder(() => void reload(), (on) => view.measure(on), (on) => live.follow(on))
const gate = new Gate(data)
const executions = new Executions(document.body, gate, (run, ask, answer) => tools?.asked(run, ask, answer))
const reports = new Reports()
const view = new View(element('view'), gate, {
  booting: () => {
    waits = false
    live.stopped()
    executions.hold()
    become('booting')
  },
  waiting: (controlled) => {
    // The cover hides the frame until it has loaded. A hidden frame would paint later.
    element('view').className = ''
    if (app !== undefined) return app.ready(controlled)
    waits = true
    if (isWarm) become('warm')
    else view.proceed()
  },
  enters: (entry) => live.enters(entry),
  greeted: (revision, path) => {
    app?.greeted()
    if (revision > 0) live.began(revision, path)
  },
  loaded: () => live.loaded(),
  alive: () => live.alive(),
  left: () => live.left(),
  crashed: (): boolean => live.crashed(),
  answered: (message) => live.answered(message),
  ready: () => {
    become('ready')
    executions.ready()
    live.isReady()
  },
  failed: (code, text, advice) => {
    live.stopped()
    failure = { code, text, advice }
    become('failed')
    app?.failed(text, advice)
    executions.failed(code)
  },
  reported: (batch) => reports.add(batch),
  sized: (size) => embedder.sized(size),
}, data.app !== '')
const live = new Live({
  ask: (message) => view.ask(message),
  go: (path) => view.go(path),
  start: () => view.start(),
  shown: (message) => embedder.shown(message),
  loaded: () => tell(),
})
// Without an app this page is no proxy, and relays nothing.
const tools = data.tools === '' ? undefined : new Tools(data.tools)
const app = data.app === '' && data.host === '' ? undefined : new App(data.app, data.host, data.policy, view)

// Most views load before their start needs a text. Showing none until then avoids
// loading a font while the view's own process starts.
const unsaid = 400 // milliseconds
let slow: ReturnType<typeof setTimeout> | undefined

function tellOfStart(is: boolean): void {
  if (is) {
    slow ??= setTimeout(() => element('cover').toggleAttribute('data-slow', true), unsaid)
    return
  }
  clearTimeout(slow)
  slow = undefined
  element('cover').toggleAttribute('data-slow', false)
}

function become(next: ViewState): void {
  state = next
  if (next !== 'failed') failure = undefined
  element('view').className = next === 'ready' || next === 'warm' ? '' : 'hidden'
  element('cover').dataset['state'] = next
  tellOfStart(next === 'booting')
  for (const part of ['text', 'advice', 'code'] as const) element(part).textContent = failure?.[part] ?? ''
  tell()
}

// reload starts at once. At the same time it checks whether the sandbox still exists,
// because a frame that fails to load does not say why. Without the server a document in the
// view could only show an error.
async function reload(): Promise<void> {
  executions.stop('view-closed', 'The page that shows the sandbox was told to reload it.')
  if (gone === undefined) {
    if (connected === false || !live.reload()) view.start()
    found(await incarnation())
  }
  if (gone !== undefined) view.end(gone.code, gone.text, gone.advice)
}

// found handles the incarnation that the server has now. After a restart, tokens and
// events are new, so this page is reloaded, too.
function found(now: string): void {
  if (now === data.incarnation) return
  if (now === '') return lost()
  tell(now)
  location.reload()
}

function lost(): void {
  gone = {
    code: 'sandbox-gone',
    text: 'The server has no such sandbox any more: it was removed, or the server was restarted without it.',
    advice: 'Go back to where you opened it, and open or create it again. This address will not work again.',
  }
  // A warm view shows nothing yet, and would wait for ever.
  if (state === 'warm') view.end(gone.code, gone.text, gone.advice)
  tell()
}

function tell(now = data.incarnation): void {
  // The end of a start reports what the browser enforces; that is not a state of its
  // own.
  if (state !== 'booting') containment = gate.shown()
  const message: StateMessage = { kind: 'state', incarnation: now, view: data.view, state, containment, connected: connected === true, ...failure, ...gone }
  embedder.state(message)
}

// revised passes on what an event says of a revision.
function revised(event: Event): void {
  const isNews = event.type === 'lifecycle' && (event.step === 'created' || event.step === 'files' || event.step === 'policy')
  live.revised(event.revision, isNews ? { files: event.files ?? undefined } : undefined)
}

// fill opens the entry of a warm view, because the sandbox has files now.
function fill(): void {
  isWarm = false
  if (!waits) return // the view opens the entry once it has booted
  waits = false
  view.proceed()
}

// The view tried to navigate away. The browser refused, and the document is gone.
addEventListener('securitypolicyviolation', (event) => {
  if (event.effectiveDirective !== 'frame-src') return
  reports.left({ kind: 'violation', target: event.blockedURI, directive: event.effectiveDirective })
  view.end('navigation-blocked', `The sandbox tried to navigate to ${event.blockedURI}, and the browser refused.`, 'Load the sandbox again to restart it.')
})

followEvents({
  event: (event, length) => {
    embedder.event({ kind: 'event', event }, length)
    revised(event)
    app?.heard(event)
  },
  connected: (value) => {
    if (connected === value) return
    connected = value
    tell()
    // The server has given up the executions here, and cannot end them.
    if (value) return
    executions.stop()
    tools?.lost()
  },
  demanded: (demand) => {
    if (isWarm && !demand.warm) fill()
    gate.demanded(demand)
    void view.demanded()
    tell()
  },
  busy: () => executions.busy() || tools?.busy() === true,
  another: found,
  asked: (message) => {
    if (message.kind === 'replied') tools?.replied(message)
    else executions.asked(message)
  },
})
view.begin()
