// The worker's requests to its server. Each request carries one of two keys, and only address
// makes the URLs of these requests.
//
// The secret authenticates the worker: with it the worker reads the state and writes the log.
// It goes only to addresses that the worker itself knows and page code cannot choose. Requests
// to addresses that page code may have chosen carry the key for contents. With that key, page
// code could only get files that it can read anyway.
import { keyHeader, paths, secretHeader } from '../../protocol/protocol.gen'
import { config } from './config'

declare const self: ServiceWorkerGlobalScope

// A server on the same machine answers in milliseconds. One that has not answered within this
// time counts as unreachable, and the request is refused.
const deadline = 10_000 // milliseconds

interface Options {
  // query has no question mark.
  readonly query?: string
  readonly method?: 'GET' | 'POST'
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  // stream: the response may never end, so it has no deadline.
  readonly stream?: boolean
  // deadline in milliseconds, for requests that nothing waits for.
  readonly deadline?: number
  // whole is the deadline in milliseconds for the rest of a response that has begun, if it may
  // be long.
  readonly whole?: number
}

// Refused is thrown when the server answered with an error and would answer the same again.
export class Refused extends Error {
  constructor(readonly status: number, text: string) {
    super(text)
  }
}

type OwnPath = typeof paths.state | typeof paths.changes | typeof paths.verdicts | typeof paths.boot

// ask fetches one of the worker's own endpoints. It throws if the server refuses or does not
// answer in time. If the server names a time to wait, ask repeats the request after it, as
// long as the deadline allows.
export function ask(path: OwnPath, options: Options = {}): Promise<Response> {
  const { query } = options
  return inTime(query === undefined ? path : `${path}?${query}`, { ...options, headers: { ...options.headers, [secretHeader]: config.secret } })
}

// askContents fetches the contents of a file, or a part of an execution, as ask does. path
// includes the query, and page code may have chosen it.
export function askContents(path: string, options: Options = {}): Promise<Response> {
  return inTime(path, { ...options, headers: { ...options.headers, [keyHeader]: config.key } })
}

// address makes the URL of a path at the sandbox's own origin. The path alone is not enough: a
// path that begins with two slashes is the address of another host.
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
