// The order in which a request is handled. Each step answers or passes the request on. The
// last step always answers, and every exception becomes a refusal.
import { paths, version, type WorkerHello } from '../../protocol/protocol.gen'
import { config, decides } from './config'
import { executionFile } from './executions'
import { network } from './network'
import { refusal } from './refusal'
import { states } from './states'
import { virtual } from './virtual'

declare const self: ServiceWorkerGlobalScope

const toServer: readonly string[] = [paths.boot, paths.run, paths.report, paths.realm]

// leaveToServer reports whether the worker leaves a request to the server. These are requests
// for our own pages, and documents loaded in a tab of their own. The server answers the latter
// with a page that says why they do not run there. All of them go to the sandbox's own origin,
// whose server guards each of its paths itself.
export function leaveToServer(request: Request, url: URL): boolean {
  if (url.origin !== self.location.origin) return !decides
  if (request.mode === 'navigate' && request.destination === 'document') return true
  return toServer.includes(url.pathname) || url.pathname.startsWith(paths.isolated)
}

export async function answer(event: FetchEvent, url: URL): Promise<Response> {
  try {
    if (url.origin !== self.location.origin) return await network(event)
    if (url.pathname === paths.hello) return await hello()
    if (url.pathname === paths.known) return known(url)
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

// known notes the revision that a document names. That is a page's word, and costs a request to the
// server if it is too high.
function known(url: URL): Response {
  states.know(Number(url.searchParams.get('revision')))
  return new Response(null, { status: 204, headers: config.refusal })
}
