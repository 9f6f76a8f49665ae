/**
 * The types of Bellglass's browser library, which the server serves beside this
 * file as `bellglass.js`. Importing the module defines `<bellglass-sandbox>`.
 *
 * Whatever an event holds may have been written by untrusted code. Show it as
 * text (`textContent`), never as HTML.
 */

/** Where the sandbox stands. `disconnected`: it was seen, and the server's events do not arrive; the element keeps trying. */
export type SandboxState = 'idle' | 'booting' | 'ready' | 'disconnected' | 'failed'

/** What this browser was seen to enforce; `''` before it was asked. */
export type Containment = '' | 'csp' | 'allowlist' | 'audit'

/** Why nothing runs. */
export type FailureCode =
  | 'insecure-context'
  | 'worker-unsupported'
  | 'storage-blocked'
  | 'no-origin'
  | 'worker-refused'
  | 'page-timeout'
  | 'register-timeout'
  | 'control-timeout'
  | 'state-timeout'
  | 'outer-timeout'
  | 'entry-timeout'
  | 'state-unreachable'
  | 'version-mismatch'
  | 'boot-loop'
  | 'containment-missing'
  | 'navigation-blocked'
  | 'message-flood'
  | 'crashed'
  | 'app-refused'
  /** The frame did not load within `timeout`. */
  | 'frame-timeout'
  | 'local-network-blocked'
  /** The frame loaded and says nothing. */
  | 'no-answer'
  /** The server no longer has the sandbox. */
  | 'sandbox-gone'
  /** The sandbox repeatedly took the focus from the page, and was ended. */
  | 'focus-taken'
  /** `src` is no http or https address. */
  | 'bad-source'
  /** The element stands in another document than the one that loaded the library. */
  | 'foreign-document'

export interface Failure {
  readonly kind: 'failure'
  readonly code: FailureCode
  /** One sentence: what happened. */
  readonly text: string
  /** What to do. */
  readonly advice: string
}

/** An uncaught error of the sandbox's page. */
export interface PageError {
  readonly kind: 'page'
  readonly text: string
  readonly event: ErrorEvent
}

export interface StateDetail {
  readonly state: SandboxState
  readonly containment: Containment
  readonly failure: Failure | undefined
}

/** Whose word an event is. Only `page` is that of untrusted code. */
export type Source = 'server' | 'worker' | 'outer' | 'browser' | 'page'

interface Head {
  /** Counts up within a sandbox. */
  readonly id: number
  /** RFC 3339. */
  readonly time: string
  readonly revision: number
  readonly source: Source
  /** The execution that it came of. */
  readonly execution?: string
}

interface Ruling {
  readonly action: 'block' | 'allow'
  /** The rule's id, if a rule decided. */
  readonly rule?: string
  readonly code: string
  readonly reason: string
  /** Where the rule stands. */
  readonly file?: string
  readonly line?: number
}

interface Remedy {
  /** In the sandbox of an MCP App: the smallest addition to `_meta.ui.csp` that would allow it. */
  readonly change?: Readonly<Record<string, readonly string[]>>
  /** Asks for the change, or says why none helps. */
  readonly advice?: string
}

export interface Place {
  readonly url?: string
  readonly line?: number
  readonly col?: number
}

/** One request, as the service worker decided it. */
export interface VerdictEvent extends Head, Ruling, Remedy {
  readonly type: 'verdict'
  readonly method: string
  readonly url: string
  /** The Fetch destination, `''` for `fetch()` and XMLHttpRequest. */
  readonly destination: string
  /** A request to the sandbox's own files. */
  readonly virtual: boolean
  /** The status that the page got, 0 for a network error and for an opaque answer. */
  readonly status: number
  /** The page got an answer that it did not ask to read, such as an image without CORS headers. */
  readonly opaque?: boolean
  /** Of a blocked request, the policy's directive that governs its type. */
  readonly directive?: string
}

/** What the browser's own policy refused. */
export interface ViolationEvent extends Head, Ruling, Remedy {
  readonly type: 'violation'
  /** A URL, or what was called. */
  readonly target: string
  /** Of a request the policy's directive, of a call the grant that it lacks. */
  readonly directive: string
  readonly place: Place
}

export interface ConsoleEvent extends Head {
  readonly type: 'console'
  readonly level: 'debug' | 'log' | 'info' | 'warn' | 'error'
  readonly text: string
  readonly place: Place
}

export interface ErrorEvent extends Head {
  readonly type: 'error'
  readonly text: string
  readonly stack?: string
  readonly place: Place
}

export interface LifecycleEvent extends Head {
  readonly type: 'lifecycle'
  readonly step: 'created' | 'files' | 'policy' | 'refused' | 'left-out' | 'without-worker' | 'dropped' | 'ending' | 'removed'
  readonly text: string
}

/** The element's events. None of them bubbles. At first the sandbox's kept history is told, oldest first. */
export interface SandboxEventMap {
  /** `state`, `containment` or `failure` has changed. */
  readonly state: CustomEvent<StateDetail>
  /** The view has loaded, at first and after each reload. */
  readonly ready: CustomEvent<StateDetail>
  readonly verdict: CustomEvent<VerdictEvent>
  /** A request or an action that did not get through: a `verdict` that blocks, or what the browser itself refused. */
  readonly blocked: CustomEvent<VerdictEvent | ViolationEvent>
  readonly console: CustomEvent<ConsoleEvent>
  /** An uncaught error of the sandbox's page, or a failure because of which nothing runs. */
  readonly error: CustomEvent<PageError | Failure>
  readonly lifecycle: CustomEvent<LifecycleEvent>
}

/** Why a call of `writeFile`, `setPolicy` or `execute` failed. */
export class BellglassError extends Error {
  constructor(code: string, text: string, advice?: string, options?: ErrorOptions & { readonly status?: number })
  readonly name: 'BellglassError'
  /** Stable: the server's, or `no-api`, `no-sandbox`, `bad-path`, `unreachable`, `timeout`, `refused`, `bad-answer`, `execute-failed`. */
  readonly code: string
  /** What to do, `''` if nothing is known. */
  readonly advice: string
  /** The HTTP status of a refusal, or 0. */
  readonly status: number
}

export interface CallOptions {
  readonly signal?: AbortSignal
}

export interface ExecuteOptions extends CallOptions {
  /** How long the code may take. */
  readonly timeoutMs?: number
  /** Where the code runs: by default a worker. In a frame it is always isolated. */
  readonly context?: 'worker' | 'frame'
  /** Isolates the code, even if it is empty: the code then reaches what these names open. */
  readonly capabilities?: readonly string[]
}

export interface Changed {
  /** The sandbox's new revision: any load that begins now sees it. */
  readonly revision: number
}

export type FileContent = string | Blob | BufferSource

/** Shows one sandbox, and tells what happens in it. Its size is that of the element's box, unless `autosize` sets the height. */
export class BellglassSandbox extends HTMLElement {
  /** The sandbox's outer address. Another address shows another sandbox. */
  src: string
  /** What stands for `/api/v1` in the embedder's own backend; without it the three calls below fail with `no-api`. */
  api: string
  /** Sent to `api` as a bearer token. Never an attribute. */
  token: string
  /** The permissions that the frame is handed on, as in an iframe's `allow`: `camera; microphone`. The sandbox has those of them that it was granted when it was made. Read when the frame is made. */
  allow: string
  /**
   * The element's height follows that of the sandbox's document, between the `min-height`
   * and `max-height` of your style sheet. It stops, with a warning in the console, if the
   * document's height depends on the element's and so never rests.
   */
  autosize: boolean
  /** How long the frame may take to load, in milliseconds; by default 30,000. */
  timeout: number

  readonly state: SandboxState
  readonly containment: Containment
  readonly failure: Failure | undefined
  /** The newest revision that an event has told of, 0 before the first. */
  readonly revision: number

  /** Loads the sandbox's view again from its entry. */
  reload(): void
  /** Puts one file. A string is written as UTF-8. */
  writeFile(path: string, content: FileContent, options?: CallOptions): Promise<Changed>
  /** Replaces the policy by another, written in YAML. One that is not valid is refused and changes nothing. */
  setPolicy(policy: string, options?: CallOptions): Promise<Changed>
  /**
   * Runs an ES module in the sandbox and returns what its default export is, or gives
   * for `args` if it is a function; throws a `BellglassError` if the code fails.
   */
  execute(code: string, args?: unknown, options?: ExecuteOptions): Promise<unknown>

  addEventListener<K extends keyof SandboxEventMap>(type: K, listener: (this: BellglassSandbox, event: SandboxEventMap[K]) => unknown, options?: boolean | AddEventListenerOptions): void
  addEventListener<K extends Exclude<keyof HTMLElementEventMap, keyof SandboxEventMap>>(type: K, listener: (this: BellglassSandbox, event: HTMLElementEventMap[K]) => unknown, options?: boolean | AddEventListenerOptions): void
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void
  removeEventListener<K extends keyof SandboxEventMap>(type: K, listener: (this: BellglassSandbox, event: SandboxEventMap[K]) => unknown, options?: boolean | EventListenerOptions): void
  removeEventListener<K extends Exclude<keyof HTMLElementEventMap, keyof SandboxEventMap>>(type: K, listener: (this: BellglassSandbox, event: HTMLElementEventMap[K]) => unknown, options?: boolean | EventListenerOptions): void
  removeEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | EventListenerOptions): void
}

declare global {
  interface HTMLElementTagNameMap {
    'bellglass-sandbox': BellglassSandbox
  }
}
