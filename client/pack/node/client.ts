// The client of the HTTP API. Each operation of the OpenAPI document is a method of its name.
import { followed } from './events'
import { APIError, check } from './error'
import type { AppSpec, Call, CreatedApp, Event, ExecutionRequest, Explanation, FileList, FilesPatch, Info, LogPage, NewSandbox, NewWarm, Outcome, Question, Reply, Revised, SandboxList, SandboxPatch } from './schemas.gen'

export { APIError }

export interface ClientOptions {
  readonly api: string
  readonly token?: string | undefined
  readonly fetch?: typeof fetch | undefined
}

export interface Options {
  readonly signal?: AbortSignal | undefined
}

export interface ChangeOptions extends Options {
  readonly revision?: number | undefined
}

export interface CreateOptions extends Options {
  readonly idempotencyKey?: string | undefined
}

export interface ListQuery {
  readonly label?: readonly string[] | undefined
  readonly limit?: number | undefined
  readonly after?: string | undefined
}

export interface EventQuery {
  readonly after?: number | undefined
  readonly type?: readonly Event['type'][] | undefined
  readonly action?: readonly ('block' | 'allow')[] | undefined
  readonly source?: readonly Event['source'][] | undefined
  readonly level?: readonly ('debug' | 'log' | 'info' | 'warn' | 'error')[] | undefined
}

export interface LogQuery extends EventQuery {
  readonly limit?: number | undefined
}

export type FileContents = string | Blob | ArrayBuffer | ArrayBufferView
export type ArchiveType = 'application/zip' | 'application/x-tar' | 'application/gzip'

type Query = Readonly<Record<string, string | number | readonly string[] | undefined>>

interface Request extends Options {
  readonly query?: Query
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly json?: unknown
  readonly body?: BodyInit
  readonly type?: string
}

export class Client {
  readonly #api: string
  readonly #token: string
  readonly #fetch: typeof fetch

  constructor(options: ClientOptions) {
    this.#api = options.api.replace(/\/+$/, '')
    this.#token = options.token ?? ''
    // A browser's fetch must not be called as a method of another object.
    this.#fetch = options.fetch ?? ((input, init) => fetch(input, init))
  }

  createSandbox(sandbox: NewSandbox = {}, { signal, idempotencyKey }: CreateOptions = {}): Promise<Info> {
    return this.#json('POST', '/sandboxes', { json: sandbox, headers: { 'Idempotency-Key': idempotencyKey }, signal })
  }

  warmSandboxes(warm: NewWarm = {}, { signal }: Options = {}): Promise<SandboxList> {
    return this.#json('POST', '/warm', { json: warm, signal })
  }

  listSandboxes({ label, limit, after }: ListQuery = {}, { signal }: Options = {}): Promise<SandboxList> {
    return this.#json('GET', '/sandboxes', { query: { label, limit, after }, signal })
  }

  getSandbox(id: string, options: ChangeOptions = {}): Promise<Info> {
    return this.#json('GET', at(id), expecting(options))
  }

  patchSandbox(id: string, patch: SandboxPatch, options: ChangeOptions = {}): Promise<Info> {
    return this.#json('PATCH', at(id), { json: patch, ...expecting(options) })
  }

  async deleteSandbox(id: string, options: ChangeOptions = {}): Promise<void> {
    await this.#call('DELETE', at(id), expecting(options))
  }

  listFiles(id: string, options: ChangeOptions = {}): Promise<FileList> {
    return this.#json('GET', at(id, '/files'), expecting(options))
  }

  patchFiles(id: string, patch: FilesPatch, options: ChangeOptions = {}): Promise<Revised> {
    return this.#json('PATCH', at(id, '/files'), { json: patch, ...expecting(options) })
  }

  replaceFiles(id: string, archive: Blob | ArrayBuffer | ArrayBufferView, type: ArchiveType, options: ChangeOptions = {}): Promise<Revised> {
    return this.#json('PUT', at(id, '/files'), { body: archive as BodyInit, type, ...expecting(options) })
  }

  async getFile(id: string, path: string, options: ChangeOptions = {}): Promise<Uint8Array> {
    return new Uint8Array(await (await this.#call('GET', at(id, file(path)), expecting(options))).arrayBuffer())
  }

  putFile(id: string, path: string, content: FileContents, options: ChangeOptions = {}): Promise<Revised> {
    return this.#json('PUT', at(id, file(path)), { body: content as BodyInit, type: 'application/octet-stream', ...expecting(options) })
  }

  deleteFile(id: string, path: string, options: ChangeOptions = {}): Promise<Revised> {
    return this.#json('DELETE', at(id, file(path)), expecting(options))
  }

  async getPolicy(id: string, options: ChangeOptions = {}): Promise<string> {
    return (await this.#call('GET', at(id, '/policy'), expecting(options))).text()
  }

  putPolicy(id: string, policy: string, options: ChangeOptions = {}): Promise<Revised> {
    return this.#json('PUT', at(id, '/policy'), { body: policy, type: 'application/yaml', ...expecting(options) })
  }

  explain(id: string, question: Question, options: ChangeOptions = {}): Promise<Explanation> {
    return this.#json('POST', at(id, '/explain'), { json: question, ...expecting(options) })
  }

  execute(id: string, request: ExecutionRequest, { signal }: Options = {}): Promise<Outcome> {
    return this.#json('POST', at(id, '/execute'), { json: request, signal })
  }

  callTool(id: string, call: Call, { signal }: Options = {}): Promise<Reply> {
    return this.#json('POST', at(id, '/btcp'), { json: call, signal })
  }

  readLog(id: string, { limit, ...query }: LogQuery = {}, { signal }: Options = {}): Promise<LogPage> {
    return this.#json('GET', at(id, '/log'), { query: { ...selecting(query), limit }, signal })
  }

  followEvents(id: string, query: EventQuery = {}, { signal }: Options = {}): AsyncGenerator<Event, void, void> {
    return followed((after) => this.#call('GET', at(id, '/events'), { query: selecting({ ...query, after }), signal, headers: { Accept: 'text/event-stream' } }), query.after ?? 0, signal)
  }

  createApp(app: AppSpec, { signal }: Options = {}): Promise<CreatedApp> {
    return this.#json('POST', '/mcp-apps', { json: app, signal })
  }

  getDocument({ signal }: Options = {}): Promise<Readonly<Record<string, unknown>>> {
    return this.#json('GET', '/openapi.json', { signal })
  }

  async #json<T>(method: string, path: string, request: Request): Promise<T> {
    const response = await this.#call(method, path, request)
    try {
      return await response.json() as T
    } catch (cause) {
      request.signal?.throwIfAborted()
      throw new APIError({ code: 'bad-answer', status: response.status, detail: `${method} ${path} was answered with something other than JSON. Check that api is the address of Bellglass’s HTTP API.` }, { cause })
    }
  }

  async #call(method: string, path: string, { query = {}, headers = {}, json, body, type, signal }: Request): Promise<Response> {
    const url = new URL(this.#api + path, globalThis.document?.baseURI)
    for (const [name, value] of Object.entries(query)) {
      for (const each of typeof value === 'object' ? value : [value]) if (each !== undefined) url.searchParams.append(name, String(each))
    }
    const sent = new Headers({ Accept: 'application/json' })
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) sent.set(name, value)
    if (this.#token !== '') sent.set('Authorization', `Bearer ${this.#token}`)
    const content = json === undefined ? body : JSON.stringify(json)
    if (content !== undefined) sent.set('Content-Type', type ?? 'application/json')
    let response: Response
    try {
      response = await this.#fetch(url, { method, headers: sent, redirect: 'error', cache: 'no-store', credentials: 'same-origin', ...(content === undefined ? {} : { body: content }), ...(signal === undefined ? {} : { signal }) })
    } catch (cause) {
      signal?.throwIfAborted()
      throw new APIError({ code: 'unreachable', status: 0, detail: `${method} ${url.href} got no answer: ${String(cause)}. Check that the server is running, and the address in api.` }, { cause })
    }
    await check(response, `${method} ${path}`)
    return response
  }
}

function at(id: string, rest = ''): string {
  return `/sandboxes/${encodeURIComponent(id)}${rest}`
}

// file returns the path of a virtual file in the API. A URL resolves dot segments, so they would
// lead to another operation.
function file(path: string): string {
  if (!path.startsWith('/') || path.split('/').some((segment) => segment === '.' || segment === '..')) {
    throw new APIError({ code: 'bad-path', status: 0, detail: `${JSON.stringify(path)} is not the path of a virtual file. Write a path that begins with / and has no part . or ...` })
  }
  return `/files${path.split('/').map(encodeURIComponent).join('/')}`
}

function expecting({ revision, signal }: ChangeOptions): Request {
  return { headers: { 'If-Match': revision === undefined ? undefined : `"${revision}"` }, signal }
}

function selecting({ after, type, action, source, level }: EventQuery): Query {
  return { after, type: type?.join(), action: action?.join(), source: source?.join(), level: level?.join() }
}
