// The boot page. At its own path it starts a view: it reports to the outer frame, and
// navigates to the entry. At any other path it replaces a document that was requested
// while no worker was in control: it brings the worker back and loads itself again. At
// the path for executions, in a hidden frame, it stays and runs them.
import { paths, version, type Boot, type BootCode, type Containment, type Going, type Listening, type Open, type Phase, type Stage } from '../protocol/protocol.gen'
import { outermost } from './ancestors'
import { forsake, takeControl, type Control } from './control'
import type { Data } from './data.gen'
import { loadAgain } from './reload'
import { runExecutions } from './runner'
import { BootError, tellStage, timely, watchStages } from './stages'

const data = JSON.parse(element('data').textContent ?? '') as Data
const view = location.pathname === paths.boot
const runner = location.pathname === paths.run
const outer = outermost().parent
// Whether the policy rejects some browsers. The outer frame knows what this one
// enforces: no sandboxed code runs there that could lie.
const demanding = !data.enough.includes('csp')

function element(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`the page has no #${id}`)
  return found
}

interface Details {
  readonly enough?: readonly Containment[]
  readonly controlled?: boolean
  readonly entry?: string
  readonly waits?: boolean
  readonly stage?: Stage
  readonly code?: BootCode
}

function tell(phase: Phase, details: Details = {}): void {
  const message: Boot = { kind: 'boot', protocol: version, phase, view, ...details }
  // A nested document's parent is the sandbox itself and gets no messages. From a nested
  // document the outer frame gets only the message that it has to answer.
  if (outer === parent || demanding && phase === 'started') outer.postMessage(message, data.outer)
}

// Longer than the deadlines of other stages: under load, a machine takes long to load a
// document and to start the outer frame's page.
const loadDeadline = 30_000 // milliseconds

// again loads this document again, which ends this one. It throws if reloading no
// longer helps, with the state of the worker as the reason, or if no other document
// loads. The outer frame knows nothing of nested documents, so they need this deadline.
// In Chromium 156 a load sometimes never ended while DevTools were attached to a worker
// that was being replaced: Chromium stops such a worker without checking whether it is
// handling a request (ServiceWorkerVersion::OnRequestTermination).
async function again(control: Control | 'none'): Promise<void> {
  if (!loadAgain()) throw new BootError('boot-loop', loops[control], 'Close all tabs with this sandbox and open it again.')
  await timely('page', 'The browser did not load this document again', new Promise(() => {}), loadDeadline)
}

const loops: Readonly<Record<Control | 'none', string>> = {
  none: 'The browser refuses the worker, and the server serves no file in its place.',
  taken: 'The worker is in control, but this document still comes from the server each time.',
  unclaimed: 'The worker is active, but it controls no document, however often this one is reloaded.',
  held: 'The browser keeps the worker of an earlier version or policy in control, however often this document is reloaded.',
}

// heard resolves once the outer frame listens, and has observed that the browser
// enforces what the policy demands. The view's frame comes before the script in the
// outer frame's page, so this page may load first. If too little is enforced, the outer
// frame says so to the user, and this page just stops.
function heard(): Promise<void> {
  return new Promise((resolve) => {
    addEventListener('message', (event: MessageEvent<Partial<Listening> | null>) => {
      if (event.source !== outer || event.origin !== data.outer || event.data?.kind !== 'listening') return
      tellStage() // Nobody received the earlier ones.
      const { containment = '' } = event.data
      if (!demanding || data.enough.includes(containment)) resolve()
      // The worker must not stay either. It may date from when the policy demanded
      // less, and would serve the files.
      else if (containment !== '') forsake().catch(() => undefined)
    })
  })
}

function enter(): void {
  location.replace(location.origin + data.entry)
}

// controlled is set when this page is ready. Only a worker in control can begin the entry's
// document before the entry exists.
let controlled: boolean | undefined
let going: Going | undefined

// followOuter lets the outer frame decide when the view opens its entry.
function followOuter(): void {
  addEventListener('message', (event: MessageEvent<Partial<Open> | null>) => {
    if (event.source !== outer || event.origin !== data.outer || event.data?.kind !== 'open') return
    going = event.data.going
    if (controlled === undefined) return
    if (going === 'ahead') return goAhead()
    // This page may have gone ahead just now, and Chromium 156 ignores a second navigation to
    // the same address.
    stop()
    enter()
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
  tell('ready', view ? { controlled, entry: data.entry, waits: data.waits } : { controlled })
  if (runner) return
  if (!view) return again(control)
  if (data.waits) goAhead()
  else enter()
}

// isRefusal reports whether the browser refuses a worker to every sandbox. Other
// failures may pass when the view is reloaded.
function isRefusal(error: unknown): boolean {
  return error instanceof BootError && (error.code === 'storage-blocked' || error.code === 'worker-unsupported')
}

// loaded returns once this page has loaded. The outer frame shows the next document
// that the frame loads, so it may be told only then.
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
  // An early failure comes before the outer frame listens.
  void listening.then(() => tell('failed', { code }))
}

boot().catch(show)
