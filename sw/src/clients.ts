// Which clients are workers of executions: each execution has one of its own.
import { paths } from '../../protocol/protocol.gen'

declare const self: ServiceWorkerGlobalScope

// Of this many clients it is kept whether they are an execution's.
const kept = 512

const known = new Map<string, Promise<string>>()

// remember keeps that a client is the worker of an execution.
export function remember(client: string, execution: Promise<string>): void {
  known.set(client, execution)
  const [oldest] = known.keys()
  if (known.size > kept && oldest !== undefined) known.delete(oldest)
}

// executionOf gives the id of the execution that a client is the worker of, or ''.
// It is remembered from the request for the code. If the service worker was stopped
// since, the client's address says it, as long as there is the client.
export function executionOf(client: string): Promise<string> {
  let execution = known.get(client)
  if (execution === undefined) {
    execution = find(client)
    remember(client, execution)
  }
  return execution
}

async function find(id: string): Promise<string> {
  try {
    const client = id === '' ? undefined : await self.clients.get(id)
    return client === undefined ? '' : (parse(new URL(client.url).pathname)?.id ?? '')
  } catch {
    return ''
  }
}

// parse reads the path of an execution's file.
export function parse(path: string): { readonly id: string; readonly name: string } | undefined {
  if (!path.startsWith(paths.execution)) return undefined
  const [id, name, more] = path.slice(paths.execution.length).split('/')
  return id === undefined || name === undefined || more !== undefined ? undefined : { id, name }
}
