// The boot page. At its own path it is the beginning of a view: it reports to
// the outer frame, and goes to the entry. At any other path it stands in
// for a document that was asked for while no worker was in control: it brings
// the worker back and loads itself again. At the path for running, in a frame that
// nobody sees, it stays and runs executions.
import { paths, version, type Boot, type BootCode, type Containment, type Listening, type Phase, type Stage } from '../protocol/protocol.gen'
import { loadAgain } from './again'
import { probe } from './containment'
import { forsake, takeControl, type Control } from './control'
import { runExecutions } from './runner'
import { BootError, tellStage, timely, watchStages } from './stages'

interface Data {
  readonly bundle: string
  readonly outer: string
  readonly entry: string
  readonly audit: boolean
  readonly enough: readonly Containment[]
}

const data = JSON.parse(element('data').textContent ?? '') as Data
const view = location.pathname === paths.boot
const runner = location.pathname === paths.run

function element(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`the page has no #${id}`)
  return found
}

interface Details {
  readonly containment?: Containment
  readonly stage?: Stage
  readonly code?: BootCode
  readonly text?: string
  readonly advice?: string
}

function tell(phase: Phase, details: Details = {}): void {
  const message: Boot = { kind: 'boot', protocol: version, phase, view, containment: '', ...details }
  // A nested document's parent is the sandbox itself and is told nothing.
  if (view || runner || isFramedByOuter()) parent.postMessage(message, data.outer)
}

function isFramedByOuter(): boolean {
  try {
    return parent.location.origin !== location.origin
  } catch {
    return true
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
async function again(control: Control): Promise<void> {
  if (!loadAgain()) throw new BootError('boot-loop', loops[control], 'Close all tabs with this sandbox and open it again.')
  await timely('page', 'The browser did not load this document again', new Promise(() => {}), loadDeadline)
}

const loops: Readonly<Record<Control, string>> = {
  taken: 'The worker is in control, yet this document comes from the server again and again.',
  unclaimed: 'The worker is active, yet the browser puts no document under its control, however often this one is loaded again.',
  held: 'The browser keeps the worker of an earlier version or policy in control, however often this document is loaded again.',
}

// heard resolves when the outer frame is known to listen. Its frame for the view
// stands in its page above its script, so this page may be there first.
function heard(): Promise<void> {
  return new Promise((resolve) => {
    addEventListener('message', (event: MessageEvent<Partial<Listening> | null>) => {
      if (event.source !== parent || event.origin !== data.outer || event.data?.kind !== 'listening') return
      tellStage() // Nobody has heard of the earlier ones.
      resolve()
    })
  })
}

const listening = view ? heard() : Promise.resolve()

async function boot(): Promise<void> {
  watchStages((stage) => tell('waiting', { stage }))
  tell('started')
  // Where anything is enough, the answer is not waited for, and the worker's start,
  // which takes longest, is asked for first.
  const early = data.enough.includes('csp') ? takeControl(data.bundle) : undefined
  const containment = probe()
  if (early === undefined) await demand(await containment)
  const control = await (early ?? takeControl(data.bundle))
  const level = await containment
  await loaded()
  await timely('outer', 'The frame around the sandbox did not say that it listens', listening, loadDeadline)
  if (control === 'taken' && runner) runExecutions(data.outer)
  if (control === 'taken') tell('ready', { containment: data.audit ? 'audit' : level })
  if (control === 'taken' && view) location.replace(location.origin + data.entry)
  else if (control !== 'taken' || !runner) await again(control)
}

async function demand(level: Containment): Promise<void> {
  if (data.enough.includes(level)) return
  // Not even the worker is installed: it would serve the files.
  await forsake()
  const text = level === 'allowlist'
    ? 'The policy demands full containment. This browser enforces Connection-Allowlist, and lets WebRTC and hints that outlive their page past it, as every browser does that is known. Nothing was run.'
    : 'The policy demands more containment than this browser gives: it does not enforce Connection-Allowlist, so data could get out past the rules. Nothing was run.'
  const advice = level === 'allowlist'
    ? 'Write containment: allowlist into the policy if it is enough for you that everything but those two is contained.'
    : 'Use Chromium, Chrome or Edge 152 or later with containment: allowlist, or write containment: csp into the policy if that is enough for you.'
  throw new BootError('containment-missing', text, advice)
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
  void listening.then(() => tell('failed', { code, text, advice }))
}

boot().catch(show)
