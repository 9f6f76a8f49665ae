// Executions: code that a client of the server asked it to run in this sandbox. The server
// holds the files of executions.
import { execution } from '../../protocol/protocol.gen'
import { executionOf, parse } from './clients'
import { config } from './config'
import { refusal } from './refusal'
import { askContents } from './server'
import { states } from './states'
import { settled } from './verdicts'

// executionFile answers the requests that an execution makes for its own files.
export async function executionFile(event: FetchEvent, url: URL): Promise<Response> {
  const { address, name } = parse(url.pathname) ?? { address: '', name: '' }
  switch (name) {
    case execution.settle:
      if (await settled()) return new Response(null, { status: 204, headers: config.refusal })
      return refusal(503, 'verdicts-unsent', 'The server has not taken all verdicts.')
    case execution.code:
      // This also remembers the client before any code of the execution runs in it.
      if ((await executionOf(event.clientId)) !== address) return refusal(403, 'not-the-execution', `${url.pathname} is given to the worker of that execution alone.`)
      break
    case execution.worker:
      if (event.request.destination !== 'worker') return refusal(403, 'not-a-worker', `${url.pathname} is given to a new worker alone.`)
      break
    default:
      return refusal(404, 'not-found', `${url.pathname} is no file of an execution.`)
  }
  const state = await states.recent()
  if (state.policy !== config.policy) {
    return refusal(503, 'worker-outdated', 'The policy has changed, and this worker must be replaced before more code is run.')
  }
  const file = await askContents(url.pathname)
  return new Response(file.body, { headers: { ...state.headers, 'Content-Type': 'text/javascript; charset=utf-8' } })
}
