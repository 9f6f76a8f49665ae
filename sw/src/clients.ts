// Which clients are workers of executions. Each execution has a worker of its own.
import { execution, paths } from '../../protocol/protocol.gen'

declare const self: ServiceWorkerGlobalScope

// The worker remembers the execution of this many clients.
const kept = 512

const known = new Map<string, string>()

// executionOf returns the address of the execution whose worker the client is, or ''. It trusts
// only the browser: the client's type, and the URL that the client was created with. The
// server answers that URL once. The requests of a client prove nothing, because page code can
// request any path.
export async function executionOf(id: string): Promise<string> {
  const execution = known.get(id)
  if (execution !== undefined) return execution
  const client = id === '' ? undefined : await self.clients.get(id).catch(() => undefined)
  // A client that is gone may have belonged to an execution, so nothing is remembered of it.
  if (client === undefined) return ''
  const found = ownerOf(client)
  known.set(id, found)
  const [oldest] = known.keys()
  if (known.size > kept && oldest !== undefined) known.delete(oldest)
  return found
}

// Only a dedicated worker counts. A frame can be loaded with the same URL, and page code can
// then write into that frame.
function ownerOf(client: Client): string {
  if (client.type !== 'worker') return ''
  const url = new URL(client.url)
  const file = url.origin === self.location.origin ? parse(url.pathname) : undefined
  return file?.name === execution.worker ? file.address : ''
}

// parse reads the path of an execution's file.
export function parse(path: string): { readonly address: string; readonly name: string } | undefined {
  if (!path.startsWith(paths.execution)) return undefined
  const [address, name, more] = path.slice(paths.execution.length).split('/')
  return address === undefined || name === undefined || more !== undefined ? undefined : { address, name }
}
