// The worker's way to its server: every request carries the sandbox's secret.
import { paths, secretHeader } from '../../protocol/protocol.gen'
import { config } from './config'

// A server on the same machine answers in milliseconds; one that has not
// answered in this time is taken for unreachable, and the request is refused.
const deadline = 10_000 // milliseconds

interface Options {
  readonly method?: 'GET' | 'POST'
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  // stream: the answer never ends by itself, so it has no deadline.
  readonly stream?: boolean
  // deadline, in milliseconds, where nothing waits for the answer.
  readonly deadline?: number
}

// ask fetches one of the worker's own endpoints. It throws when the server does
// not answer in time or refuses.
export async function ask(path: string, options: Options = {}): Promise<Response> {
  const init: RequestInit = {
    method: options.method ?? 'GET',
    headers: { ...options.headers, [secretHeader]: config.secret },
    cache: 'no-store',
    credentials: 'omit',
    redirect: 'error',
    ...(options.body === undefined ? {} : { body: options.body }),
    ...(options.stream === true ? {} : { signal: AbortSignal.timeout(options.deadline ?? deadline) }),
  }
  const response = await fetch(path, init)
  if (!response.ok) throw new Error(`the server answered ${response.status} to ${path}`)
  return response
}

export function blobPath(hash: string): string {
  return paths.blob + hash
}
