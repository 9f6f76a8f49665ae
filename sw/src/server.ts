// The worker's way to its server. Each request carries one of two keys, and address
// is the only place that makes the URL of one.
//
// The secret stands for the worker: it reads the state and writes the log. It goes
// only to the addresses that the worker itself knows, which page code cannot choose.
// Addresses that begin as a page's own carry the key for contents, with which page
// code could get nothing but the files that it has anyway.
import { keyHeader, paths, secretHeader } from '../../protocol/protocol.gen'
import { config } from './config'

declare const self: ServiceWorkerGlobalScope

// A server on the same machine answers in milliseconds; one that has not
// answered in this time is taken for unreachable, and the request is refused.
const deadline = 10_000 // milliseconds

interface Options {
  // query, without its question mark.
  readonly query?: string
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
export class Refused extends Error {
  constructor(readonly status: number, text: string) {
    super(text)
  }
}

type OwnPath = typeof paths.state | typeof paths.changes | typeof paths.verdicts | typeof paths.boot

// ask fetches one of the worker's own endpoints. It throws when the server does
// not answer in time or refuses. A server that names a time to wait for is asked
// again then, if that is still in time.
export function ask(path: OwnPath, options: Options = {}): Promise<Response> {
  const { query } = options
  return inTime(query === undefined ? path : `${path}?${query}`, { ...options, headers: { ...options.headers, [secretHeader]: config.secret } })
}

// askContents fetches the contents of a file, or a part of an execution, as ask does.
// path is a path with its query, and may be page code's choice.
export function askContents(path: string, options: Options = {}): Promise<Response> {
  return inTime(path, { ...options, headers: { ...options.headers, [keyHeader]: config.key } })
}

// address makes the URL of a path at the sandbox's own origin. A path alone would not
// do, for one that begins with two slashes is another host's address.
function address(path: string): URL {
  const url = new URL(self.location.origin + path)
  if (url.origin !== self.location.origin) throw new Error(`${path} leads away from the sandbox's origin`)
  return url
}

async function inTime(path: string, options: Options): Promise<Response> {
  const url = address(path)
  const end = Date.now() + (options.deadline ?? deadline)
  for (;;) {
    const response = await once(url, options)
    if (response.ok) return response
    const wait = Number(response.headers.get('Retry-After') ?? NaN) * 1_000
    const text = `the server answered ${response.status} to ${path}`
    if (Number.isNaN(wait)) throw new Refused(response.status, text)
    if (Date.now() + wait > end) throw new Error(text)
    await new Promise((resolve) => setTimeout(resolve, wait))
  }
}

async function once(url: URL, options: Options): Promise<Response> {
  const control = new AbortController()
  const endIn = (time: number): number => setTimeout(() => control.abort(new Error(`the server took more than ${time} ms for ${url.pathname}`)), time)
  const timer = options.stream === true ? undefined : endIn(options.deadline ?? deadline)
  const response = await fetch(url, {
    method: options.method ?? 'GET',
    headers: options.headers ?? {},
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
