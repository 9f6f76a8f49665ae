// Bringing the right worker into control of this origin.
import { paths, version, type BootCode, type WorkerHello } from '../protocol/protocol.gen'
import { within } from './deadline'
import { handOver, scriptOf } from './handover'
import { BootError, timely } from './stages'

const claimDeadline = 1_000 // milliseconds for an active worker to claim this page

// Control is the relation of the worker to this page. Unless it is 'taken', only a
// reload helps: either an active worker has not claimed the page, as after a forced
// reload, or an old one keeps it.
export type Control = 'taken' | 'unclaimed' | 'held'

// Wanted is the worker that must be in control: its code, and the sandbox whose secret
// it has. An earlier server may have had another sandbox with this id.
export type Wanted = Pick<WorkerHello, 'bundle' | 'incarnation'>

// takeControl resolves to 'taken' once the wanted worker is in control and has its
// state. If a step misses its deadline or another version answers, it makes one repair:
// it unregisters the worker and registers it again.
export async function takeControl(wanted: Wanted): Promise<Control> {
  if (!isSecureContext) {
    throw new BootError('insecure-context', 'This address is not a secure context, so the browser offers no service workers.', 'Serve Bellglass from localhost or over HTTPS.')
  }
  if (!('serviceWorker' in navigator)) {
    throw new BootError('worker-unsupported', 'This browser offers no service workers here.', 'Use a current browser; in some, private windows have no service workers.')
  }
  try {
    return await attempt(wanted)
  } catch (error) {
    if (!(error instanceof BootError) || !repairable.has(error.code)) throw error
    await unregister()
    return attempt(wanted)
  }
}

const repairable: ReadonlySet<BootCode> = new Set(['register-timeout', 'control-timeout', 'state-timeout', 'version-mismatch'])

async function attempt(wanted: Wanted): Promise<Control> {
  const registration = await registered()
  if (registration.active?.state === 'activated') {
    // The worker may be about to claim this page. After a forced reload it never does.
    try {
      await within(claimDeadline, controlled())
    } catch {
      return 'unclaimed'
    }
  }
  await timely('control', 'The sandbox’s worker did not take control', controlled())
  // The browser checks for a new script by itself when a page loads, so the worker may
  // be replaced from here on. Listen before asking, to not miss that.
  const before = registration.active
  const replaced = new Promise<void>((resolve) => {
    navigator.serviceWorker.addEventListener('controllerchange', () => resolve(), { once: true })
  })
  if (await standing(wanted) === 'right') return 'taken'
  // The server has another script, for instance because the policy has changed. Or it
  // is another server than the worker's, and gives that worker no state. If the script
  // is the same, no worker will take over, and waiting would end in a misleading
  // timeout.
  await timely('register', 'The sandbox’s worker was not updated', registration.update())
  // Send no request meanwhile: it might keep the old worker alive (handover.ts).
  const isAnother = registration.installing !== null || registration.waiting !== null || registration.active !== before
  if (isAnother && !(await handOver(registration, replaced, register))) {
    // The old worker keeps this page as long as the page lives, whatever is registered.
    // Without a registration the next page starts afresh.
    await unregister()
    return 'held'
  }
  const now = await standing(wanted)
  if (now === 'right') return 'taken'
  if (now === 'stateless') {
    throw new BootError('state-unreachable', 'The worker runs but cannot get its rules and files from the server.', 'Check that Bellglass is still running and that this sandbox still exists.')
  }
  throw new BootError('version-mismatch', 'The worker in control is not the one that the server serves.', 'Close all tabs with this sandbox and open it again.')
}

// Standing is what the worker in control reports about itself. A stateless one did not
// get its rules and files from the server.
type Standing = 'right' | 'wrong' | 'stateless'

async function standing({ bundle, incarnation }: Wanted): Promise<Standing> {
  const hello = await timely('state', 'The sandbox’s worker did not answer', fetch(paths.hello, { cache: 'no-store' }))
  if (hello.status === 503) return 'stateless'
  const answer: unknown = hello.ok ? await hello.json() : undefined
  return isHello(answer) && answer.protocol === version && answer.bundle === bundle && answer.incarnation === incarnation && answer.current ? 'right' : 'wrong'
}

// registered returns the registration of the worker in control, or registers the worker.
//
// It avoids a register() that would change nothing, because that waits for all that the browser
// has begun with the registration. About a second after a load, Chromium 156 begins to look for
// a newer script by itself, but it does not go on before the browser's first page has loaded
// (ServiceWorkerRegisterJob::Start). While that page waited for an image, register() did not
// return.
async function registered(): Promise<ServiceWorkerRegistration> {
  try {
    const { controller } = navigator.serviceWorker
    // Without a controller there is usually no worker yet, and a first view starts
    // faster without this question.
    const known = controller === null ? undefined : await timely('register', 'The browser did not look for a worker of the sandbox', navigator.serviceWorker.getRegistration('/'))
    const script = scriptOf(known)
    // The page can also register this script, with other options.
    const isRight = known?.active === controller && controller?.scriptURL === location.origin + script && known.updateViaCache === 'none'
    return isRight ? known : await register(script)
  } catch (error) {
    if (error instanceof BootError) throw error
    const text = error instanceof Error ? error.message : String(error)
    // A browser that denies storage to framed sites reports a SecurityError (Firefox),
    // a NotAllowedError, or a NotSupportedError.
    if (error instanceof DOMException && error.name !== 'AbortError') {
      throw new BootError('storage-blocked', `The browser refused the sandbox's worker: ${text}`, 'Allow storage for framed sites (third-party cookies) for this page, or use another browser profile.')
    }
    throw new BootError('worker-refused', `The sandbox's worker could not be installed: ${text}`, 'Check that Bellglass is still running, and load the page again.')
  }
}

function register(script: string): Promise<ServiceWorkerRegistration> {
  return timely('register', 'The browser did not register the sandbox’s worker', navigator.serviceWorker.register(script, { scope: '/', updateViaCache: 'none' }))
}

function controlled(): Promise<void> {
  return new Promise((resolve) => {
    if (navigator.serviceWorker.controller !== null) resolve()
    navigator.serviceWorker.addEventListener('controllerchange', () => resolve(), { once: true })
  })
}

// forsake unregisters all workers of the origin. There may be one from when the policy
// demanded less.
export async function forsake(): Promise<void> {
  if ('serviceWorker' in navigator) await unregister()
}

async function unregister(): Promise<void> {
  const registrations = await timely('register', 'The browser did not list the sandbox’s workers', navigator.serviceWorker.getRegistrations())
  await timely('register', 'The browser did not unregister the sandbox’s worker', Promise.all(registrations.map((registration) => registration.unregister())))
}

function isHello(data: unknown): data is Omit<WorkerHello, 'revision'> {
  return typeof data === 'object' && data !== null && 'protocol' in data && 'bundle' in data && 'incarnation' in data && 'current' in data
}
