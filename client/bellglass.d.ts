/**
 * The types of Bellglass's browser library, which the server serves beside this file as
 * `bellglass.js`. Importing the module defines `<bellglass-sandbox>`.
 *
 * Untrusted code may have written anything in an event. Show it as text
 * (`textContent`), never as HTML.
 */

/**
 * The state of the sandbox. `warm`: the view has booted, and the sandbox has no files yet.
 * `disconnected`: the sandbox was shown, but the server's events do not arrive; the element
 * keeps trying.
 */
export type SandboxState = 'idle' | 'booting' | 'warm' | 'ready' | 'disconnected' | 'failed'

/** What this browser was observed to enforce; `''` before the probe. */
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
  /** The frame loaded but does not answer. */
  | 'no-answer'
  /** The server no longer has the sandbox. */
  | 'sandbox-gone'
  /** The sandbox repeatedly took the focus from the page, and was stopped. */
  | 'focus-taken'
  /** `src` is not an http or https address. */
  | 'bad-source'
  /** The element is in another document than the one that loaded the library. */
  | 'foreign-document'

export interface Failure {
  readonly kind: 'failure'
  readonly code: FailureCode
  /** One sentence that says what happened. */
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

/** Who reported an event. Only `page` is untrusted code. */
export type Source = 'server' | 'worker' | 'outer' | 'browser' | 'page'

interface Head {
  /** Increases within a sandbox. */
  readonly id: number
  /** RFC 3339. */
  readonly time: string
  readonly revision: number
  readonly source: Source
  /** The execution that caused it. */
  readonly execution?: string
  /**
   * The view in which it happened: the `view` of its element. It is missing where nobody
   * knows the view, as in verdicts and in the browser's own reports.
   */
  readonly view?: string
}

interface Verdict {
  readonly action: 'block' | 'allow'
  /** The rule's id, if a rule decided. */
  readonly rule?: string
  readonly code: string
  readonly reason: string
  /** The rule's place in the policy file. */
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

/** The service worker's decision on one request. */
export interface VerdictEvent extends Head, Verdict, Remedy {
  readonly type: 'verdict'
  readonly method: string
  readonly url: string
  /** The Fetch destination, `''` for `fetch()` and XMLHttpRequest. */
  readonly destination: string
  /** Whether the request is for one of the sandbox's own files. */
  readonly virtual: boolean
  /** The status that the page received; 0 for a network error or an opaque response. */
  readonly status: number
  /**
   * The page received a response that it did not ask to read, such as an image without
   * CORS headers.
   */
  readonly opaque?: boolean
  /** For a blocked request, the policy directive that governs its type. */
  readonly directive?: string
}

/** Something that the browser's own policy refused. */
export interface ViolationEvent extends Head, Verdict, Remedy {
  readonly type: 'violation'
  /** A URL, or the function that was called. */
  readonly target: string
  /** For a request the policy directive, for a call the missing grant. */
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

/** A list of files that may be cut. */
export interface PathList {
  readonly count: number
  /** At most 100 paths, sorted. */
  readonly list: readonly string[]
}

/** The files that differ from the previous revision. */
export interface FileChanges {
  readonly added: PathList
  readonly changed: PathList
  readonly removed: PathList
  /** How a document replaces the changed modules in place. Missing if it has to reload. */
  readonly modules?: ModuleChanges | null
}

/** How a document replaces changed modules without a reload. */
export interface ModuleChanges {
  /** The paths whose changes `updates` cover completely. */
  readonly files: readonly string[]
  readonly updates: readonly ModuleUpdate[]
}

/** A module that a document imports again, and the module that accepts the change. */
export interface ModuleUpdate {
  readonly boundary: string
  readonly accepted: string
  readonly url: string
  readonly circular?: boolean
}

/** What the view shows now. Path and revision are the word of untrusted code. */
export interface ShownDetail {
  /**
   * `document`: a document has begun. `styles`: the document stays, and has new style
   * sheets. `modules`: the document stays, and has new modules and style sheets. `path`: the
   * document stays at another address.
   */
  readonly manner: 'document' | 'styles' | 'modules' | 'path'
  /** Path, query and fragment. */
  readonly path: string
  readonly revision: number
}

export interface LifecycleEvent extends Head {
  readonly type: 'lifecycle'
  readonly step: 'created' | 'files' | 'policy' | 'refused' | 'left-out' | 'without-worker' | 'dropped' | 'ending' | 'removed'
  readonly text: string
  /** For a new revision with other files. */
  readonly files?: FileChanges | null
}

/**
 * The element's events. None of them bubbles. The sandbox's recorded history comes
 * first, oldest first.
 */
export interface SandboxEventMap {
  /** `state`, `containment` or `failure` has changed. */
  readonly state: CustomEvent<StateDetail>
  /** The view has loaded, at first and after each `reload()`. */
  readonly ready: CustomEvent<StateDetail>
  /** A document has begun in the view, or it shows a change in place. */
  readonly shown: CustomEvent<ShownDetail>
  readonly verdict: CustomEvent<VerdictEvent>
  /**
   * A request or an action that was blocked: a `verdict` that blocks, or a refusal by
   * the browser itself.
   */
  readonly blocked: CustomEvent<VerdictEvent | ViolationEvent>
  readonly console: CustomEvent<ConsoleEvent>
  /**
   * An uncaught error of the sandbox's page, or the failure that keeps the sandbox from
   * running.
   */
  readonly error: CustomEvent<PageError | Failure>
  readonly lifecycle: CustomEvent<LifecycleEvent>
}

/** Why `writeFile`, `setPolicy` or `execute` failed. */
export class BellglassError extends Error {
  constructor(code: string, text: string, advice?: string, options?: ErrorOptions & { readonly status?: number })
  readonly name: 'BellglassError'
  /** Stable: the server's, or `no-api`, `no-sandbox`, `bad-path`, `unreachable`, `timeout`, `refused`, `bad-answer`, `execute-failed`. */
  readonly code: string
  /** What to do; `''` if unknown. */
  readonly advice: string
  /** The HTTP status of a rejection, or 0. */
  readonly status: number
}

export interface CallOptions {
  readonly signal?: AbortSignal
}

export interface ExecuteOptions extends CallOptions {
  /**
   * Names the execution in its events, as `event.detail.execution`: 1 to 64 characters
   * from `A-Z`, `a-z`, `0-9`, `-` and `_`. Default: a random id.
   */
  readonly id?: string
  /** How long the code may take. */
  readonly timeoutMs?: number
  /** Where the code runs: by default in a worker. In a frame it is always isolated. */
  readonly context?: 'worker' | 'frame'
  /**
   * Isolates the code, even if the list is empty. The code then reaches only what these
   * names open.
   */
  readonly capabilities?: readonly string[]
}

export interface Changed {
  /** The sandbox's new revision. Every load that starts from now on sees it. */
  readonly revision: number
}

export type FileContent = string | Blob | BufferSource

/**
 * Shows one sandbox and reports what happens in it. Its size is that of the element's
 * box, unless `autosize` sets the height.
 */
export class BellglassSandbox extends HTMLElement {
  /** The sandbox's outer address. Another address shows another sandbox. */
  src: string
  /**
   * The address of your own backend that stands for `/api/v1`. Without it the three
   * calls below fail with `no-api`.
   */
  api: string
  /** Sent to `api` as a bearer token. Never an attribute. */
  token: string
  /**
   * The permissions to delegate to the frame, as in an iframe's `allow`: `camera;
   * microphone`. The sandbox gets those among them that it was granted when it was
   * created. Read when the frame is created.
   */
  allow: string
  /**
   * The element's height follows that of the sandbox's document, between the
   * `min-height` and `max-height` of your style sheet. If the document's height depends
   * on the element's and so never settles, the element stops and warns in the console.
   */
  autosize: boolean
  /**
   * The view shows each change of the files by itself. Changed style sheets are replaced
   * in place. For any other change the view loads again at its path, without a boot.
   */
  liveUpdate: boolean
  /** How long the frame may take to load, in milliseconds. Default: 30,000. */
  timeout: number
  /**
   * The id of an event. The element reports only later events of the log. Read when the
   * element first shows its sandbox. Default: 0, which reports all of the history.
   */
  afterEvent: number

  readonly state: SandboxState
  readonly containment: Containment
  readonly failure: Failure | undefined
  /** The newest revision that an event has named; 0 before the first. */
  readonly revision: number
  /**
   * The id of the view that the element shows, as `event.detail.view` has it; `''` before
   * the frame has answered. Each load of the frame has another one.
   */
  readonly view: string

  /** The path that the view is at. Untrusted code may have made it up. */
  readonly path: string

  /**
   * Loads the view again at its path. If its document does not answer, or the policy has
   * changed, the view boots.
   */
  reload(): void
  /** Writes one file. A string is written as UTF-8. */
  writeFile(path: string, content: FileContent, options?: CallOptions): Promise<Changed>
  /**
   * Replaces the policy with another one, in YAML. An invalid policy is rejected and
   * changes nothing.
   */
  setPolicy(policy: string, options?: CallOptions): Promise<Changed>
  /**
   * Runs an ES module in the sandbox. Returns its default export or, if that is a
   * function, what it returns for `args`. Throws a `BellglassError` if the code fails.
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
