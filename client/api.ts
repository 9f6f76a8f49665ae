// Changing a sandbox, through a backend that the embedder names. Changing one directly
// would need the server's token in the page, so every call goes through this file, and
// the embedder decides where it leads.

// A Backend says where the element sends its calls.
export interface Backend {
  // The address that stands for /api/v1.
  readonly api: string
  readonly token: string
  readonly sandbox: string
}

export interface CallOptions {
  readonly signal?: AbortSignal
}

export interface ExecuteOptions extends CallOptions {
  readonly id?: string
  readonly timeoutMs?: number
  readonly context?: 'worker' | 'frame'
  readonly capabilities?: readonly string[]
}

export interface Changed {
  readonly revision: number
}

export type FileContent = string | Blob | BufferSource

export class BellglassError extends Error {
  override readonly name = 'BellglassError'

  constructor(readonly code: string, text: string, readonly advice = '', options: ErrorOptions & { readonly status?: number } = {}) {
    super(text, options)
    this.status = options.status ?? 0
  }

  readonly status: number
}

const deadline = 30_000 // milliseconds for a call, in addition to the time that the code may take

interface Operation {
  readonly method: 'PUT' | 'POST'
  readonly path: string
  readonly type: string
  readonly takes?: number // milliseconds
}

export async function writeFile(backend: Backend, path: string, content: FileContent, options: CallOptions): Promise<Changed> {
  const body = typeof content === 'string' || content instanceof Blob ? content : new Blob([content])
  return changed(await call(backend, { method: 'PUT', path: `/files${encode(path)}`, type: 'application/octet-stream' }, body, options))
}

export async function setPolicy(backend: Backend, policy: string, options: CallOptions): Promise<Changed> {
  return changed(await call(backend, { method: 'PUT', path: '/policy', type: 'application/yaml' }, policy, options))
}

export async function execute(backend: Backend, code: string, args: unknown, options: ExecuteOptions): Promise<unknown> {
  const { id, timeoutMs, context, capabilities } = options
  const body = JSON.stringify({ id, code, args, timeoutMs, context, capabilities })
  const answer = await call(backend, { method: 'POST', path: '/execute', type: 'application/json', takes: timeoutMs ?? 0 }, body, options)
  if (isRecord(answer) && 'error' in answer) {
    const { error } = answer
    throw new BellglassError(word(error, 'code') ?? 'execute-failed', typeof error === 'string' ? error : word(error, 'text', 'message') ?? 'The code failed.', word(error, 'advice'), { cause: error })
  }
  if (isRecord(answer) && 'result' in answer) return answer['result']
  throw bad('neither a result nor an error')
}

// encode writes a virtual path as part of a URL. It rejects dot segments, because a URL
// resolves them and would lead to another path.
function encode(path: string): string {
  if (!path.startsWith('/') || path.split('/').some((segment) => segment === '.' || segment === '..')) {
    throw new BellglassError('bad-path', `${JSON.stringify(path)} is not the path of a virtual file.`, 'Write a path that begins with / and has no part . or ...')
  }
  return path.split('/').map(encodeURIComponent).join('/')
}

async function call(backend: Backend, { method, path, type, takes = 0 }: Operation, body: BodyInit, { signal }: CallOptions): Promise<unknown> {
  if (backend.api === '') {
    throw new BellglassError('no-api', 'The element has no address to send changes to.', 'Set its api property to the address of your own backend that stands for /api/v1, or change the sandbox from your server.')
  }
  if (backend.sandbox === '') throw new BellglassError('no-sandbox', 'The element shows no sandbox.', 'Set its src first.')
  const headers = new Headers({ 'Content-Type': type, Accept: 'application/json' })
  if (backend.token !== '') headers.set('Authorization', `Bearer ${backend.token}`)
  const late = AbortSignal.timeout(deadline + takes)
  let response: Response
  let text: string
  try {
    const url = new URL(`${backend.api.replace(/\/+$/, '')}/sandboxes/${backend.sandbox}${path}`, document.baseURI)
    response = await fetch(url, { method, body, headers, credentials: 'same-origin', redirect: 'error', cache: 'no-store', signal: signal === undefined ? late : AbortSignal.any([late, signal]) })
    text = await response.text()
  } catch (cause) {
    if (signal?.aborted === true) throw signal.reason
    if (late.aborted) throw new BellglassError('timeout', `${method} ${path} was not answered within ${(deadline + takes) / 1_000} s.`, 'Check that the backend is running, and try again.', { cause })
    throw new BellglassError('unreachable', `${method} ${path} could not be sent: ${String(cause)}`, 'Check the api property, and that the backend is running and accepts requests from this page.', { cause })
  }
  const answer = parse(text)
  if (response.ok) return answer
  throw new BellglassError(word(answer, 'code') ?? 'refused', word(answer, 'detail', 'title') ?? `${method} ${path} was refused with status ${response.status}.`, word(answer, 'advice'), { status: response.status })
}

function changed(answer: unknown): Changed {
  if (isRecord(answer) && typeof answer['revision'] === 'number') return { revision: answer['revision'] }
  throw bad('no revision')
}

function bad(what: string): BellglassError {
  return new BellglassError('bad-answer', `The backend’s response has ${what}.`, 'Check that the api property leads to Bellglass’s HTTP API, and to the same version.')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function word(of: unknown, ...names: readonly string[]): string | undefined {
  if (!isRecord(of)) return undefined
  for (const name of names) {
    const value = of[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}

function isRecord(data: unknown): data is Readonly<Record<string, unknown>> {
  return typeof data === 'object' && data !== null
}
