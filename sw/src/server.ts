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
  // whole is the deadline for an answer that has begun, where it may be a long one.
  readonly whole?: number
}

// Refused is thrown when the server answered, and will answer the same again.
export class Refused extends Error {}

// ask fetches one of the worker's own endpoints. It throws when the server does
// not answer in time or refuses. A server that names a time to wait for is asked
// again then, if that is still in time.
export async function ask(path: string, options: Options = {}): Promise<Response> {
  const end = Date.now() + (options.deadline ?? deadline)
  for (;;) {
    const response = await once(path, options)
    if (response.ok) return response
    const wait = Number(response.headers.get('Retry-After') ?? NaN) * 1_000
    const text = `the server answered ${response.status} to ${path}`
    if (Number.isNaN(wait)) throw new Refused(text)
    if (Date.now() + wait > end) throw new Error(text)
    await new Promise((resolve) => setTimeout(resolve, wait))
  }
}

async function once(path: string, options: Options): Promise<Response> {
  const control = new AbortController()
  const endIn = (time: number): number => setTimeout(() => control.abort(new Error(`the server took more than ${time} ms for ${path}`)), time)
  const timer = options.stream === true ? undefined : endIn(options.deadline ?? deadline)
  const response = await fetch(path, {
    method: options.method ?? 'GET',
    headers: { ...options.headers, [secretHeader]: config.secret },
    cache: 'no-store',
    credentials: 'omit',
    redirect: 'error',
    signal: control.signal,
    ...(options.body === undefined ? {} : { body: options.body }),
  })
  if (options.whole !== undefined) {
    clearTimeout(timer)
    endIn(options.whole)
  }
  return response
}

export function blobPath(hash: string): string {
  return paths.blob + hash
}
