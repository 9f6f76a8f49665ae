// Requests to the sandbox's own origin: virtual files, served as a good static
// server does.
import { paths, type AnswerCode } from '../../protocol/protocol.gen'
import { blobs } from './blobs'
import { config } from './config'
import { withClient } from './html'
import { notFound } from './notfound'
import { decodePath } from './path'
import { begins, withPrelude } from './prelude'
import { parseRange } from './range'
import { refusal } from './refusal'
import { ask, Refused } from './server'
import type { File, State } from './state.gen'
import { states } from './states'
import { record } from './verdicts'

export async function virtual(event: FetchEvent, url: URL): Promise<Response> {
  const request = event.request
  const navigation = request.mode === 'navigate'
  const state = navigation ? await states.whole() : await states.recent()
  // A 204 keeps the boot page. WebKitGTK 2.50.6 applies frame-ancestors to it and replaces the
  // page with an empty one if that forbids the frame, so the answer has a document's headers.
  if (navigation && state.waits) return new Response(null, { status: 204, headers: state.headers })
  if (navigation && state.policy !== config.policy) return successor()
  const response = await serve(request, url, state, navigation).catch((error: unknown) => changed(error, url, state))
  const { code, reason } = response.status === 404 && url.pathname.endsWith('/') ? noIndex : failures[response.status] ?? found
  record(event, { action: 'allow', rule: '', code, reason, file: '', line: 0, virtual: true, status: response.status, revision: state.revision })
  return response
}

interface Result {
  readonly code: AnswerCode
  readonly reason: string
}

const found: Result = { code: 'virtual', reason: 'a virtual file of the sandbox' }

const noIndex: Result = { code: 'not-found', reason: 'the folder has no index.html' }

// failures are what the log says of an answer that has no file.
const failures: Readonly<Record<number, Result>> = {
  400: { code: 'bad-path', reason: 'no path of a virtual file' },
  404: { code: 'not-found', reason: 'the sandbox has no file at this path' },
  405: { code: 'method-not-allowed', reason: 'virtual files can only be read' },
  415: { code: 'not-javascript', reason: 'a browser runs no TypeScript or JSX: compile the file first, and load the .js file that comes of it' },
  416: { code: 'range-not-satisfiable', reason: 'the file has no bytes in this range' },
  503: { code: 'file-changed', reason: 'the file has changed on disk since this revision was made' },
}

// changed answers for a file that the server has on disk, where it is not the one of
// this revision any more. Any other error is thrown again.
function changed(error: unknown, url: URL, state: State): Response {
  if (!(error instanceof Refused) || error.status !== 410) throw error
  return refusal(503, 'file-changed', `${url.pathname} has changed on disk since revision ${state.revision} was made. Load it again: the next revision has it.`, state.headers)
}

// successor answers a navigation when the policy has changed so that this worker
// cannot do what the new one allows: the headers of the script that it came from
// bind its own requests for life. The boot page installs the next worker and
// loads the address again. To wait for that here would be to wait for ever,
// since a worker takes over only when this one has no request in hand.
async function successor(): Promise<Response> {
  const page = await ask(paths.boot)
  return new Response(page.body, { headers: page.headers })
}

async function serve(request: Request, url: URL, state: State, navigation: boolean): Promise<Response> {
  const path = decodePath(url.pathname)
  if (path === undefined) {
    return refusal(400, 'bad-path', `The path ${url.pathname} is not percent-encoded UTF-8, or holds an empty segment, or an encoded slash, backslash or control character.`, state.headers)
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return refusal(405, 'method-not-allowed', `${request.method} ${path}: virtual files can only be read. Allowed are GET and HEAD.`, { ...state.headers, Allow: 'GET, HEAD' })
  }
  const files = index(state)
  const file = files.get(path.endsWith('/') ? `${path}index.html` : path)
  if (file !== undefined) return content(request, url, file, state, navigation)
  if (!path.endsWith('/')) {
    const page = files.get(`${path}.html`)
    if (page !== undefined) return content(request, url, page, state, navigation)
    if (files.has(`${path}/index.html`)) return folder(url, state, navigation)
  }
  if (!navigation) return notFound(path, state, navigation)
  const fallback = state.fallback === '' ? undefined : files.get(state.fallback)
  if (fallback !== undefined) return content(request, url, fallback, state, navigation)
  const own = files.get('/404.html')
  return own === undefined ? notFound(path, state, navigation) : ownNotFound(own, state)
}

// ownNotFound is the sandbox's own page for what there is not. Only a navigation gets
// it: to a script the text that says why is of more use.
async function ownNotFound(file: File, state: State): Promise<Response> {
  const document = withClient(await blobs.whole(file), clientScript(state))
  return new Response(document, { status: 404, headers: { ...state.headers, 'Content-Type': file.type, 'Cache-Control': 'no-cache' } })
}

// clientScript is '' for a document that has to load the script.
function clientScript(state: State): string {
  return state.client === '' ? '' : state.client + config.client
}

// folder sends on to the folder's address, which has a final slash, or relative
// links of its page would lead elsewhere. A document has to send itself on:
// Connection-Allowlist refuses each redirect of a navigation, one to the own
// origin too. The address is absolute, since an answer that is made here has
// none of its own by which a relative one could go.
function folder(url: URL, state: State, navigation: boolean): Response {
  const address = `${url.origin}${url.pathname}/${url.search}`
  if (!navigation) return new Response(null, { status: 301, headers: { ...state.headers, Location: address } })
  // A serialised URL holds no quote; what is left to escape is the ampersand.
  const target = (address + url.hash).replaceAll('&', '&amp;')
  return new Response(`<!doctype html><meta charset="utf-8"><title>Folder</title><meta http-equiv="refresh" content="0;url=${target}">`, {
    headers: { ...state.headers, 'Content-Type': 'text/html; charset=utf-8' },
  })
}

// Languages that a browser does not run, and the destinations for which it would.
const sources = /^text\/(?:typescript|tsx|jsx)\b/
const scripts: readonly RequestDestination[] = ['script', 'worker', 'sharedworker', 'audioworklet', 'paintworklet']

async function content(request: Request, url: URL, file: File, state: State, navigation: boolean): Promise<Response> {
  if (scripts.includes(request.destination) && sources.test(file.type)) {
    return refusal(415, 'not-javascript', `${file.path} is ${file.type.split(';')[0]}, and a browser runs no TypeScript or JSX. Compile it first, and load the .js file that comes of it.`, state.headers)
  }
  const etag = `"${file.hash.slice(0, 32)}"`
  const headers: Record<string, string> = {
    ...state.headers,
    'Content-Type': file.type,
    'Accept-Ranges': 'bytes',
    // The worker, not the HTTP cache, knows what is current.
    'Cache-Control': 'no-cache',
    ETag: etag,
  }
  const head = request.method === 'HEAD'
  if (matches(request.headers.get('If-None-Match'), etag)) return new Response(null, { status: 304, headers })
  if (navigation && file.type.startsWith('text/html')) {
    const document = withClient(await blobs.whole(file), clientScript(state))
    return new Response(head ? null : document, { headers: { ...headers, 'Content-Length': String(document.length) } })
  }
  if (begins(request, file.type)) {
    const script = withPrelude(await blobs.whole(file))
    return new Response(head ? null : script, { headers: { ...headers, 'Content-Length': String(script.length) } })
  }
  const ifRange = request.headers.get('If-Range')
  const range = parseRange(ifRange === null || ifRange === etag ? request.headers.get('Range') : null, file.size)
  switch (range.kind) {
    case 'unsatisfiable':
      return refusal(416, 'range-not-satisfiable', `${file.path} has ${file.size} bytes; the range ${request.headers.get('Range')} lies outside.`, {
        ...state.headers, 'Content-Range': `bytes */${file.size}`,
      })
    case 'part': {
      const part = { ...headers, 'Content-Range': `bytes ${range.first}-${range.last}/${file.size}`, 'Content-Length': String(range.last - range.first + 1) }
      if (head) return new Response(null, { status: 206, headers: part })
      return (await blobs.handOn(url, file, range.first, range.last, part)) ?? new Response(await blobs.body(file, range.first, range.last), { status: 206, headers: part })
    }
    case 'whole': {
      const whole = { ...headers, 'Content-Length': String(file.size) }
      if (head) return new Response(null, { headers: whole })
      return (await blobs.handOn(url, file, 0, file.size - 1, whole)) ?? new Response(await blobs.body(file, 0, file.size - 1), { headers: whole })
    }
    default:
      return range satisfies never
  }
}

// matches: RFC 9110, section 13.1.2, for a list of entity tags or an asterisk.
function matches(header: string | null, etag: string): boolean {
  if (header === null) return false
  return header.trim() === '*' || header.split(',').some((tag) => tag.trim() === etag || tag.trim() === `W/${etag}`)
}

// A state's files by path, made once for each state.
const indexes = new WeakMap<State, ReadonlyMap<string, File>>()

function index(state: State): ReadonlyMap<string, File> {
  let files = indexes.get(state)
  if (files === undefined) {
    files = new Map(state.files.map((file) => [file.path, file]))
    indexes.set(state, files)
  }
  return files
}
