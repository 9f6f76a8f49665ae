// The element: one sandbox in a page, from when it is put there until it is taken
// away. Put back, it starts anew; what it has told of a sandbox it does not tell again.
import type { Containment, Event as SandboxEvent, StateMessage } from '../protocol/protocol.gen'
import { execute, setPolicy, writeFile, type Backend, type CallOptions, type Changed, type ExecuteOptions, type FileContent } from './api'
import { Autosize } from './autosize'
import { Connection, type Place, type Silence } from './connection'
import { failure, type Failure, type SandboxEventMap, type SandboxState, type StateDetail } from './events'
import { Looks } from './looks'

// The typed events; the base class has the methods.
export interface BellglassSandbox {
  addEventListener<K extends keyof SandboxEventMap>(type: K, listener: (this: BellglassSandbox, event: SandboxEventMap[K]) => unknown, options?: boolean | AddEventListenerOptions): void
  addEventListener<K extends Exclude<keyof HTMLElementEventMap, keyof SandboxEventMap>>(type: K, listener: (this: BellglassSandbox, event: HTMLElementEventMap[K]) => unknown, options?: boolean | AddEventListenerOptions): void
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void
  removeEventListener<K extends keyof SandboxEventMap>(type: K, listener: (this: BellglassSandbox, event: SandboxEventMap[K]) => unknown, options?: boolean | EventListenerOptions): void
  removeEventListener<K extends Exclude<keyof HTMLElementEventMap, keyof SandboxEventMap>>(type: K, listener: (this: BellglassSandbox, event: HTMLElementEventMap[K]) => unknown, options?: boolean | EventListenerOptions): void
  removeEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | EventListenerOptions): void
}

export class BellglassSandbox extends HTMLElement {
  static readonly observedAttributes: readonly string[] = ['src', 'title', 'autosize']

  readonly #looks: Looks
  #connection: Connection | undefined
  // placed: the element is in a page, and has been told so. Attributes that the
  // parser wrote come before that.
  #placed = false
  // shown is the address that the connection, or the last one, is for.
  #shown = ''
  #last: Place = { incarnation: '', id: 0 }
  #revision = 0
  #everConnected = false
  #viewReady = false
  #gone = false
  #token = ''
  #autosize: Autosize | undefined
  #now: StateDetail = { state: 'idle', containment: '', failure: undefined }

  constructor() {
    super()
    this.#looks = new Looks(this, () => this.reload())
  }

  // The outer address of the sandbox.
  get src(): string { return this.getAttribute('src') ?? '' }
  set src(value: string) { this.setAttribute('src', value) }

  // The address that stands for /api/v1 in the embedder's own backend.
  get api(): string { return this.getAttribute('api') ?? '' }
  set api(value: string) { this.setAttribute('api', value) }

  // The token of the HTTP API, for a backend that wants one. A property alone: an
  // attribute would be in the page's markup.
  get token(): string { return this.#token }
  set token(value: string) { this.#token = value }

  // The permissions that the frame is handed on, as an iframe's allow attribute says
  // them. The sandbox has those of them that it was granted when it was made.
  get allow(): string { return this.getAttribute('allow') ?? '' }
  set allow(value: string) { this.setAttribute('allow', value) }

  // How long the frame may take to load, in milliseconds.
  get timeout(): number {
    const value = Number(this.getAttribute('timeout') ?? NaN)
    return value > 0 ? value : 30_000
  }
  set timeout(value: number) { this.setAttribute('timeout', String(value)) }

  // The element's height follows the document's.
  get autosize(): boolean { return this.hasAttribute('autosize') }
  set autosize(value: boolean) { this.toggleAttribute('autosize', value) }

  get state(): SandboxState { return this.#now.state }
  get containment(): Containment { return this.#now.containment }
  get failure(): Failure | undefined { return this.#now.failure }
  // The newest revision that an event has told of, 0 before the first.
  get revision(): number { return this.#revision }

  // reload loads the sandbox's view again from its entry.
  reload(): void {
    if (this.#connection === undefined || this.#gone) return this.#start()
    this.#connection.reload()
    this.#follow()
  }

  writeFile(path: string, content: FileContent, options: CallOptions = {}): Promise<Changed> {
    return writeFile(this.#backend(), path, content, options)
  }

  setPolicy(policy: string, options: CallOptions = {}): Promise<Changed> {
    return setPolicy(this.#backend(), policy, options)
  }

  execute(code: string, args?: unknown, options: ExecuteOptions = {}): Promise<unknown> {
    return execute(this.#backend(), code, args, options)
  }

  connectedCallback(): void {
    // What was set before the library had loaded hides the accessors of this class.
    for (const name of ['src', 'api', 'allow', 'timeout', 'token', 'autosize'] as const) {
      const set = Object.getOwnPropertyDescriptor(this, name)
      if (set === undefined) continue
      Reflect.deleteProperty(this, name)
      Reflect.set(this, name, set.value)
    }
    this.#placed = true
    this.#start()
  }

  disconnectedCallback(): void {
    this.#placed = false
    this.#stop()
    this.#become({ state: 'idle', containment: '', failure: undefined })
  }

  // Moved within its document (moveBefore) the frame lives on, and so does the view.
  connectedMoveCallback(): void {}

  attributeChangedCallback(name: string): void {
    if (name === 'title') {
      if (this.#connection !== undefined) this.#connection.title = this.#title()
    } else if (name === 'autosize') {
      this.#follow()
    } else if (this.#placed && (this.#connection === undefined || this.#address() !== this.#shown)) {
      this.#start()
    }
  }

  #start(): void {
    this.#stop()
    const { ownerDocument, src } = this
    if (!this.#placed || ownerDocument.defaultView === null) return
    this.#looks.adopt(ownerDocument)
    const url = this.#address()
    if (url !== this.#shown) {
      this.#shown = url
      this.#anew('')
    }
    if (src === '') return this.#become({ state: 'idle', containment: '', failure: undefined })
    if (url === '') return this.#fail(failure('bad-source'))
    // The outer frame listens to the window above it, and what this script posts
    // comes from the window that loaded it.
    if (ownerDocument !== document) return this.#fail(failure('foreign-document'))
    this.#become({ state: 'booting', containment: '', failure: undefined })
    // Who was just told may have taken the element away, or started it already.
    if (!this.#placed || this.#connection !== undefined || this.#shown !== url) return
    const connection: Connection = new Connection(this.#looks.stage, { url, title: this.#title(), allow: this.allow, after: this.#last, timeout: this.timeout }, {
      state: (message) => this.#connection === connection && this.#told(message),
      event: (event) => this.#connection === connection && this.#happened(event),
      silent: (code) => this.#connection === connection && this.#silent(code),
      taken: () => this.#connection === connection && this.#taken(),
      sized: (height) => this.#connection === connection && this.#autosize?.told(height),
    })
    this.#connection = connection
    this.#follow()
  }

  #stop(): void {
    this.#connection?.close()
    this.#connection = undefined
    this.#follow()
    this.#everConnected = false
    this.#viewReady = false
    this.#gone = false
  }

  // follow lets the element follow the document's height. A second call forgets what the
  // first has seen.
  #follow(): void {
    this.#autosize?.stop()
    const on = this.autosize && this.#connection !== undefined
    this.#autosize = on ? new Autosize((height) => this.#looks.resize(height), (height) => {
      console.warn(`Bellglass: autosize has stopped at ${height} px, because the height of the document in the sandbox changes with the element's, or never rests. Give the document a height that does not depend on its viewport (100vh, 100%), or remove autosize and set a height. reload() follows it again.`, this)
    }) : undefined
    this.#connection?.measure(on)
    if (!on) this.#looks.resize(undefined)
  }

  // address is src as a URL, or "" if it is none that can be shown.
  #address(): string {
    const { src, ownerDocument } = this
    if (src === '' || !URL.canParse(src, ownerDocument.baseURI)) return ''
    const url = new URL(src, ownerDocument.baseURI)
    return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : ''
  }

  #title(): string {
    return this.title === '' ? 'Sandbox' : this.title
  }

  #backend(): Backend {
    const address = this.#address()
    return { api: this.api, token: this.token, sandbox: address === '' ? '' : new URL(address).pathname.split('/').at(-1) ?? '' }
  }

  // anew: what is told from here on is of another log.
  #anew(incarnation: string): void {
    this.#last = { incarnation, id: 0 }
    this.#revision = 0
  }

  #told({ incarnation, state, containment, connected, code, text, advice }: StateMessage): void {
    if (incarnation !== this.#last.incarnation) this.#anew(incarnation)
    this.#everConnected ||= connected
    // Whatever the view still shows, there is nothing to come back to.
    if (this.#gone) return
    if (code === 'sandbox-gone') return this.#end(text, advice)
    if (state === 'failed') return this.#fail({ kind: 'failure', code: code ?? 'worker-refused', text: text ?? '', advice: advice ?? '' })
    this.#become({ state: this.#everConnected && !connected ? 'disconnected' : state, containment, failure: undefined }, state === 'ready')
  }

  #silent(code: Silence): void {
    this.#fail(failure(code))
  }

  // The connection has removed the frame. The next start makes another.
  #taken(): void {
    this.#stop()
    this.#fail(failure('focus-taken'))
  }

  #end(text?: string, advice?: string): void {
    this.#gone = true
    const own = failure('sandbox-gone')
    this.#fail({ ...own, text: text ?? own.text, advice: advice ?? own.advice })
  }

  // What says why nothing runs has the height that the page gives.
  #fail(what: Failure): void {
    this.#looks.resize(undefined)
    this.#follow()
    this.#become({ state: 'failed', containment: this.#now.containment, failure: what })
  }

  #happened(event: SandboxEvent): void {
    this.#last = { ...this.#last, id: event.id }
    this.#revision = Math.max(this.#revision, event.revision)
    switch (event.type) {
      case 'verdict':
        this.#tell('verdict', event)
        if (event.action === 'block') this.#tell('blocked', event)
        return
      case 'violation':
        return this.#tell('blocked', event)
      case 'console':
        return this.#tell('console', event)
      case 'error':
        return this.#tell('error', { kind: 'page', text: event.text, event })
      case 'lifecycle':
        this.#tell('lifecycle', event)
        if (event.step === 'removed') this.#end()
        return
      default:
        console.warn('Bellglass: an event of an unknown type was ignored.', event satisfies never)
    }
  }

  #become(next: StateDetail, viewReady = false): void {
    const before = this.#now
    const shown = viewReady && !this.#viewReady
    this.#viewReady = viewReady
    if (!shown && before.state === next.state && before.containment === next.containment && before.failure?.code === next.failure?.code && before.failure?.text === next.failure?.text) return
    this.#now = next
    this.#looks.show(next.state, next.failure)
    this.#tell('state', next)
    // Each word is kept back if what was told before it has changed the matter.
    if (this.#now === next && shown) this.#tell('ready', next)
    if (this.#now === next && next.failure !== undefined && before.failure?.code !== next.failure.code) this.#tell('error', next.failure)
  }

  #tell<K extends keyof SandboxEventMap>(type: K, detail: SandboxEventMap[K]['detail']): void {
    this.dispatchEvent(new CustomEvent(type, { detail }))
  }
}
