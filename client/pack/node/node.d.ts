/** A client of Bellglass's HTTP API, for Node.js 20 and later, and for browsers. */
import type { AppSpec, Call, CreatedApp, Event, ExecutionRequest, Explanation, FileList, FilesPatch, Info, LogPage, NewSandbox, NewWarm, Outcome, Problem, Question, Reply, Revised, SandboxList, SandboxPatch } from './schemas.gen.js'

export type * from './schemas.gen.js'

export interface ClientOptions {
  /** The address of the API, such as `http://localhost:3333/api/v1`. */
  readonly api: string
  /** A token of the server. Leave it out if a backend of yours adds it. */
  readonly token?: string | undefined
  /** Sends the requests. Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined
}

export interface Options {
  /** Aborts the call, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

export interface ChangeOptions extends Options {
  /** The call fails with `stale-revision` if the sandbox has another revision. */
  readonly revision?: number | undefined
}

export interface CreateOptions extends Options {
  /** A second call with the same key returns the sandbox of the first one. */
  readonly idempotencyKey?: string | undefined
}

export interface ListQuery {
  /** Labels that a sandbox must have: `key=value`, or `key` for any value. */
  readonly label?: readonly string[] | undefined
  readonly limit?: number | undefined
  /** `next` of the page before. */
  readonly after?: string | undefined
}

export interface EventQuery {
  /** The id of an event. Only later ones are returned. Default: 0, from the oldest that the log keeps. */
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

/** Why a call failed. No call throws anything else, except the reason of an aborted signal. */
export class APIError extends Error {
  constructor(reason: Pick<Problem, 'code' | 'detail' | 'status'>, options?: ErrorOptions & { readonly problem?: Problem | undefined })
  readonly name: 'APIError'
  /** Stable: the server's, or `unreachable`, `bad-answer`, `refused`, `bad-path`. */
  readonly code: string
  /** What happened, and what to do. */
  readonly detail: string
  /** The HTTP status, or 0 without an answer. */
  readonly status: number
  /** All that the server said, if it was the server that refused. */
  readonly problem: Problem | undefined
}

/**
 * Calls the HTTP API. Each method is the operation of that name in the server's
 * `openapi.json`. All methods throw an `APIError`.
 */
export class Client {
  constructor(options: ClientOptions)

  createSandbox(sandbox?: NewSandbox, options?: CreateOptions): Promise<Info>
  /** Makes warm sandboxes, whose views boot and wait for files. `createSandbox` with `warm` fills one. */
  warmSandboxes(warm?: NewWarm, options?: Options): Promise<SandboxList>
  listSandboxes(query?: ListQuery, options?: Options): Promise<SandboxList>
  getSandbox(id: string, options?: ChangeOptions): Promise<Info>
  /** Changes the name, the entry, the time to live, or labels. It is not a new revision. */
  patchSandbox(id: string, patch: SandboxPatch, options?: ChangeOptions): Promise<Info>
  deleteSandbox(id: string, options?: ChangeOptions): Promise<void>

  listFiles(id: string, options?: ChangeOptions): Promise<FileList>
  /** Changes many files at once: either all of them or none. */
  patchFiles(id: string, patch: FilesPatch, options?: ChangeOptions): Promise<Revised>
  /** Replaces all files by those of an archive. */
  replaceFiles(id: string, archive: Blob | ArrayBuffer | ArrayBufferView, type: ArchiveType, options?: ChangeOptions): Promise<Revised>
  getFile(id: string, path: string, options?: ChangeOptions): Promise<Uint8Array>
  /** Writes one file. A string is written as UTF-8. */
  putFile(id: string, path: string, content: FileContents, options?: ChangeOptions): Promise<Revised>
  deleteFile(id: string, path: string, options?: ChangeOptions): Promise<Revised>

  getPolicy(id: string, options?: ChangeOptions): Promise<string>
  /** Replaces the policy, in YAML. An invalid policy is rejected and changes nothing. */
  putPolicy(id: string, policy: string, options?: ChangeOptions): Promise<Revised>
  /** Says how the policy decides a request. */
  explain(id: string, question: Question, options?: ChangeOptions): Promise<Explanation>

  /** Runs an ES module in a page that shows the sandbox. If the code fails, the outcome has `error`. */
  execute(id: string, request: ExecutionRequest, options?: Options): Promise<Outcome>
  /** Runs a BTCP tool. */
  callTool(id: string, call: Call, options?: Options): Promise<Reply>

  /** Returns a page of the sandbox's log, and waits for nothing. */
  readLog(id: string, query?: LogQuery, options?: Options): Promise<LogPage>
  /**
   * Yields the events of the sandbox's log, and waits for more. After a lost connection it
   * continues where it was. It ends when the sandbox or the server has ended. Leave the loop
   * to close the connection.
   */
  followEvents(id: string, query?: EventQuery, options?: Options): AsyncGenerator<Event, void, void>

  /** Makes the sandbox of an MCP App. */
  createApp(app: AppSpec, options?: Options): Promise<CreatedApp>
  /** Returns the server's OpenAPI document. */
  getDocument(options?: Options): Promise<Readonly<Record<string, unknown>>>
}
