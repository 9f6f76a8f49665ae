// The order in which a request is judged. Each step answers or passes on; the
// last one always answers, and whatever throws is answered with a refusal.
import { paths, version, type WorkerHello } from '../../protocol/protocol.gen'
import { config, decides } from './config'
import { executionFile } from './executions'
import { network } from './network'
import { refusal } from './refusal'
import { states } from './states'
import { virtual } from './virtual'

declare const self: ServiceWorkerGlobalScope

const toServer: readonly string[] = [paths.boot, paths.run, paths.client, paths.report, paths.realm]

// leaveToServer: our own pages, and a load in a tab of its own, which gets the
// server's page that says why it does not run there. These are requests to the
// sandbox's own origin, whose server guards each of its paths itself.
export function leaveToServer(request: Request): boolean {
  const url = new URL(request.url)
  if (url.origin !== self.location.origin) return !decides
  if (request.mode === 'navigate' && request.destination === 'document') return true
  return toServer.includes(url.pathname) || url.pathname.startsWith(paths.isolated)
}

export async function answer(event: FetchEvent): Promise<Response> {
  const url = new URL(event.request.url)
  try {
    if (url.origin !== self.location.origin) return await network(event)
    if (url.pathname === paths.hello) return await hello()
    if (url.pathname.startsWith(paths.execution)) return await executionFile(event, url)
    if (url.pathname.startsWith(paths.prefix)) {
      return refusal(403, 'reserved-path', `${url.pathname} is below ${paths.prefix}, which belongs to Bellglass; page code cannot reach it.`)
    }
    return await virtual(event, url)
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    return refusal(503, 'state-unreachable', `The sandbox's worker cannot get its rules and files from the server (${text}). Is the server running?`)
  }
}

// hello tells the boot page which worker is in control, and that it has its state.
async function hello(): Promise<Response> {
  const state = await states.recent()
  const body: WorkerHello = { protocol: version, bundle: config.bundle, incarnation: config.incarnation, revision: state.revision, current: state.policy === config.policy }
  return Response.json(body, { headers: config.refusal })
}
