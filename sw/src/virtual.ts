// Requests to the sandbox's own origin: virtual files, served as a good static server does.
import { paths, type AnswerCode } from '../../protocol/protocol.gen'
import { blobs, inOneChunk } from './blobs'
import { config } from './config'
import { insertionPoint, withClient } from './html'
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
  const navigation = event.request.mode === 'navigate'
  const state = await (navigation ? states.opening() : states.recent())
  if (navigation && state.policy !== config.policy) return successor()
  if (navigation && state.waits && url.pathname === '/') return begun(event, state)
  const response = await serve(event.request, url, state, navigation).catch((error: unknown) => changed(error, url, state))
  const result = response.status === 404 && url.pathname.endsWith('/') ? noIndex : failures[response.status] ?? found
  served(event, result, response.status, state)
  return response
}

// served records the response once the browser has accepted or rejected it, because the page waits
// for the response.
function served(event: FetchEvent, { code, reason }: Result, status: number, { revision }: State): void {
  const log = (): void => record(event, { action: 'allow', rule: '', code, reason, file: '', line: 0, virtual: true, status, revision })
  event.waitUntil(event.handled.then(log, log))
}

const documentType = 'text/html; charset=utf-8'

// begun answers a navigation to the entry before the sandbox's app is there. It sends what
// precedes the app: the headers, a doctype, and the client script. Meanwhile the browser creates
// the document, which takes longer than everything else. The app follows. If these headers or
// this doctype are wrong for the app, the document ends, and the outer frame reloads it.
//
// The stream has no cancel callback: with one, WebKitGTK 2.50.6 starts no further navigation in
// the frame.
function begun(event: FetchEvent, waiting: State): Response {
  const body = new ReadableStream<Uint8Array>({
    start: (document) => {
      document.enqueue(withClient(encode('<!doctype html>'), client(waiting)))
      event.waitUntil(complete(event, waiting, document))
    },
  })
  return new Response(body, { headers: { ...waiting.headers, 'Content-Type': documentType, 'Cache-Control': 'no-cache' } })
}

// complete sends the rest of a document that begun has begun.
async function complete(event: FetchEvent, waiting: State, document: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
  const state = await states.after(waiting)
  const file = state === undefined ? undefined : index(state).get('/index.html')
  if (state !== undefined && state.revision === state.continues && file !== undefined) {
    const app = await blobs.whole(file)
    document.enqueue(app.subarray(insertionPoint(app)))
    served(event, found, 200, state)
  } else if (state === undefined || state.continues > 0) {
    // No app has arrived so far, or the sandbox has already changed again. The outer frame
    // knows of neither, so the document reloads itself. Otherwise it would stay blank.
    document.enqueue(encode('<meta http-equiv="refresh" content="0">'))
  }
  document.close()
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}

interface Result {
  readonly code: AnswerCode
  readonly reason: string
}

const found: Result = { code: 'virtual', reason: 'a virtual file of the sandbox' }

const noIndex: Result = { code: 'not-found', reason: 'the folder has no index.html' }

// failures maps the status of an answer without a file to what the log says about it.
const failures: Readonly<Record<number, Result>> = {
  400: { code: 'bad-path', reason: 'no path of a virtual file' },
  404: { code: 'not-found', reason: 'the sandbox has no file at this path' },
  405: { code: 'method-not-allowed', reason: 'virtual files can only be read' },
  415: { code: 'not-javascript', reason: 'no browser runs TypeScript or JSX, and Bellglass compiles .ts, .mts, .tsx, and .jsx only outside node_modules' },
  416: { code: 'range-not-satisfiable', reason: 'the file has no bytes in this range' },
  503: { code: 'file-changed', reason: 'the file has changed on disk since this revision was made' },
}

// changed answers a request for a file on the server's disk that no longer has the content of
// this revision. It rethrows any other error.
function changed(error: unknown, url: URL, state: State): Response {
  if (!(error instanceof Refused) || error.status !== 410) throw error
  return refusal(503, 'file-changed', `${url.pathname} has changed on disk since revision ${state.revision} was made. Load it again: the next revision has it.`, state.headers)
}

// successor answers a navigation after a policy change that this worker cannot follow: the
// headers of its own script bind its requests as long as it lives. The boot page installs the
// next worker and loads the address again. Waiting for that here would never end, because a
// new worker takes over only when this one has no pending request.
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

// ownNotFound answers with the sandbox's own page for missing files. Only a navigation gets
// it: a text that says why is more useful to a script.
async function ownNotFound(file: File, state: State): Promise<Response> {
  const document = withClient(await blobs.whole(file), client(state))
  return new Response(document, { status: 404, headers: { ...state.headers, 'Content-Type': file.type, 'Cache-Control': 'no-cache' } })
}

function client(state: State): string {
  return state.client + config.client
}

// folder redirects to the folder's address with a final slash, without which relative links of
// its page would lead elsewhere. A document must redirect itself, because Connection-Allowlist
// refuses every redirect of a navigation, even to the same origin. The address is absolute,
// because a response constructed here has no URL that a relative address could be resolved
// against.
function folder(url: URL, state: State, navigation: boolean): Response {
  const address = `${url.origin}${url.pathname}/${url.search}`
  if (!navigation) return new Response(null, { status: 301, headers: { ...state.headers, Location: address } })
  // A serialized URL contains no quotes, so only the ampersand needs escaping.
  const target = (address + url.hash).replaceAll('&', '&amp;')
  return new Response(`<!doctype html><meta charset="utf-8"><title>Folder</title><meta http-equiv="refresh" content="0;url=${target}">`, {
    headers: { ...state.headers, 'Content-Type': documentType },
  })
}

// Types of source that a browser does not run, and the destinations for which it would run a
// script.
const sources = /^text\/(?:typescript|tsx|jsx)\b/
const scripts: readonly RequestDestination[] = ['script', 'worker', 'sharedworker', 'audioworklet', 'paintworklet']

// compiled returns what a file is compiled to for the request (package compile), or else the file
// itself.
function compiled(request: Request, file: File, state: State): File {
  if (!scripts.includes(request.destination)) return file
  return index(state).get(`${paths.script}${file.path.slice(1)}.js`) ?? file
}

async function content(request: Request, url: URL, source: File, state: State, navigation: boolean): Promise<Response> {
  const file = compiled(request, source, state)
  if (scripts.includes(request.destination) && sources.test(file.type)) {
    return refusal(415, 'not-javascript', `${file.path} is ${file.type.split(';')[0]}, which no browser runs, and Bellglass does not compile this file. It compiles .ts, .mts, .tsx, and .jsx outside node_modules.`, state.headers)
  }
  const etag = `"${file.hash.slice(0, 32)}"`
  const headers: Record<string, string> = {
    ...state.headers,
    'Content-Type': file.type,
    'Accept-Ranges': 'bytes',
    // The worker, not the HTTP cache, knows which content is current.
    'Cache-Control': 'no-cache',
    ETag: etag,
  }
  const head = request.method === 'HEAD'
  if (matches(request.headers.get('If-None-Match'), etag)) return new Response(null, { status: 304, headers })
  if (navigation && file.type.startsWith('text/html')) {
    const document = withClient(await blobs.whole(file), client(state))
    return new Response(head ? null : inOneChunk(document), { headers: { ...headers, ...linked(file, state), 'Content-Length': String(document.length) } })
  }
  if (begins(request, file.type)) {
    const script = withPrelude(await blobs.whole(file))
    return new Response(head ? null : inOneChunk(script), { headers: { ...headers, 'Content-Length': String(script.length) } })
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

// linked returns the header that names a page's modules, for Chromium alone. WebKitGTK 2.50.6 takes a
// module that it has loaded for the header from its memory, even in a later document. So that document
// would run an old version. In Firefox 153, and in Chromium before 133, an import map that a script adds
// has no effect once a module loads.
function linked({ path }: File, { links }: State): Readonly<Record<string, string>> {
  const link = links[path]
  return link !== undefined && Number(/Chrome\/(\d+)/.exec(navigator.userAgent)?.[1]) >= 133 ? { Link: link } : {}
}

// matches compares If-None-Match with an entity tag (RFC 9110, section 13.1.2). The header is
// a list of entity tags or an asterisk.
function matches(header: string | null, etag: string): boolean {
  if (header === null) return false
  return header.trim() === '*' || header.split(',').some((tag) => tag.trim() === etag || tag.trim() === `W/${etag}`)
}

// indexes caches a map from path to file for each state.
const indexes = new WeakMap<State, ReadonlyMap<string, File>>()

function index(state: State): ReadonlyMap<string, File> {
  let files = indexes.get(state)
  if (files === undefined) {
    files = new Map(state.files.map((file) => [file.path, file]))
    indexes.set(state, files)
  }
  return files
}
