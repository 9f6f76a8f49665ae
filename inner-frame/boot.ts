// The boot page. At its own path it is the beginning of a view: it reports to
// the outer frame, and goes to the entry. At any other path it stands in
// for a document that was asked for while no worker was in control: it brings
// the worker back and loads itself again. At the path for running, in a frame that
// nobody sees, it stays and runs executions.
import { paths, version, type Boot, type BootCode, type Containment, type Going, type Listening, type Open, type Phase, type Stage } from '../protocol/protocol.gen'
import { loadAgain } from './again'
import { forsake, takeControl, type Control } from './control'
import type { Data } from './data.gen'
import { runExecutions } from './runner'
import { BootError, tellStage, timely, watchStages } from './stages'

const data = JSON.parse(element('data').textContent ?? '') as Data
const view = location.pathname === paths.boot
const runner = location.pathname === paths.run
const outer = outerFrame()
// The policy does not take every browser. What this one gives the outer frame knows, in
// which no code of the sandbox can lie.
const demanding = !data.enough.includes('csp')

function element(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`the page has no #${id}`)
  return found
}

interface Details {
  readonly enough?: readonly Containment[]
  readonly controlled?: boolean
  readonly stage?: Stage
  readonly code?: BootCode
}

function tell(phase: Phase, details: Details = {}): void {
  const message: Boot = { kind: 'boot', protocol: version, phase, view, ...details }
  // A nested document's parent is the sandbox itself and is told nothing. The outer
  // frame is told of it only where its word is needed.
  if (outer === parent || demanding && phase === 'started') outer.postMessage(message, data.outer)
}

// outerFrame climbs to the first window that is not of this origin.
function outerFrame(): Window {
  let found = window.parent
  while (found !== found.parent && isSameOrigin(found)) found = found.parent
  return found
}

function isSameOrigin(other: Window): boolean {
  try {
    return other.location.origin === location.origin
  } catch {
    return false
  }
}

// Longer than the deadlines of other stages: a machine under load takes long to load a
// document, and to start what the outer frame's page needs.
const loadDeadline = 30_000 // milliseconds

// again loads this document again, which is its end. It throws what was seen of the
// worker when that no longer helps, and when no other document comes: of a document
// within another the outer frame knows nothing. In Chromium (156) a load never ended
// now and then while DevTools were attached to a worker that was being replaced, for
// it ends such a one without asking whether there is a request in its hand
// (ServiceWorkerVersion::OnRequestTermination).
async function again(control: Control | 'none'): Promise<void> {
  if (!loadAgain()) throw new BootError('boot-loop', loops[control], 'Close all tabs with this sandbox and open it again.')
  await timely('page', 'The browser did not load this document again', new Promise(() => {}), loadDeadline)
}

const loops: Readonly<Record<Control | 'none', string>> = {
  none: 'The browser refuses the worker, and the server serves no file in its place.',
  taken: 'The worker is in control, yet this document comes from the server again and again.',
  unclaimed: 'The worker is active, yet the browser puts no document under its control, however often this one is loaded again.',
  held: 'The browser keeps the worker of an earlier version or policy in control, however often this document is loaded again.',
}

// heard resolves when the outer frame is known to listen, and to have seen the browser
// enforce what the policy demands. Its frame for the view stands in its page above its
// script, so this page may be there first. Where too little is enforced the outer frame
// says so, to a person, and this page just goes no further.
function heard(): Promise<void> {
  return new Promise((resolve) => {
    addEventListener('message', (event: MessageEvent<Partial<Listening> | null>) => {
      if (event.source !== outer || event.origin !== data.outer || event.data?.kind !== 'listening') return
      tellStage() // Nobody has heard of the earlier ones.
      const { containment = '' } = event.data
      if (!demanding || data.enough.includes(containment)) resolve()
      // Not even the worker may stay, from when the policy demanded less: it would
      // serve the files.
      else if (containment !== '') forsake().catch(() => undefined)
    })
  })
}

function enter(): void {
  location.replace(location.origin + data.entry)
}

// controlled is set when this page is ready. Only a worker in control can hold a navigation
// until the entry exists.
let controlled: boolean | undefined
let going: Going | undefined

// followOuter lets the outer frame decide when the view opens its entry. It stops a pending
// navigation first, because Chromium 156 ignores a second navigation to the same address.
function followOuter(): void {
  addEventListener('message', (event: MessageEvent<Partial<Open> | null>) => {
    if (event.source !== outer || event.origin !== data.outer || event.data?.kind !== 'open') return
    going = event.data.going
    if (controlled === undefined) return
    if (going === 'ahead') return goAhead()
    stop()
    if (going === 'now') enter()
    else tell('ready')
  })
}

function goAhead(): void {
  if (going === 'ahead' && controlled === true) enter()
}

if (data.waits) followOuter()

const listening = view || demanding ? heard() : Promise.resolve()

async function boot(): Promise<void> {
  // Such a document has no worker, and the browser's error would blame storage.
  if (self.origin === 'null') {
    throw new BootError('no-origin', `This frame asks for ${location.pathname}, a file of the sandbox, and gets none: its sandbox attribute lacks allow-same-origin, so it has no origin and no worker that could serve the file.`, 'Add allow-same-origin to the sandbox attribute of the <iframe>, or write the document into its srcdoc attribute.')
  }
  watchStages((stage) => tell('waiting', { stage }))
  tell('started', { enough: data.enough })
  if (demanding) {
    await timely('outer', 'The frame around the sandbox did not say that the browser contains enough', listening, loadDeadline)
  }
  const control = await takeControl(data).catch((error: unknown) => {
    if (data.needsWorker || runner || !isRefusal(error)) throw error
    return 'none' as const // The server serves the files.
  })
  await loaded()
  await timely('outer', 'The frame around the sandbox did not say that it listens', listening, loadDeadline)
  if (control === 'unclaimed' || control === 'held') return again(control)
  if (runner) runExecutions(data.outer)
  controlled = control === 'taken'
  tell('ready', { controlled })
  if (runner) return
  if (!view) return again(control)
  if (data.waits) goAhead()
  else enter()
}

// isRefusal reports whether the browser refuses every sandbox its worker. Any other failure
// may pass when the view is loaded again.
function isRefusal(error: unknown): boolean {
  return error instanceof BootError && (error.code === 'storage-blocked' || error.code === 'worker-unsupported')
}

// loaded: the outer frame shows the next document that the frame loads, so this
// one must be over before it is told.
async function loaded(): Promise<void> {
  if (document.readyState === 'complete') return
  await timely('page', 'The page that starts the sandbox did not load', new Promise((resolve) => addEventListener('load', resolve, { once: true })))
}

function show(error: unknown): void {
  const known = error instanceof BootError
  const text = error instanceof Error ? error.message : String(error)
  const code: BootCode = known ? error.code : 'worker-refused'
  const advice = known ? error.advice : 'Load the page again.'
  element('text').textContent = text
  element('advice').textContent = advice
  element('code').textContent = code
  element('message').hidden = false
  // What fails at once does so before the outer frame listens.
  void listening.then(() => tell('failed', { code }))
}

boot().catch(show)
