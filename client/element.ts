// The element: one sandbox in a page, from its insertion to its removal. Inserted
// again, it starts again, but does not repeat the events that it has reported.
import type { Containment, Event as SandboxEvent, StateMessage } from '../protocol/protocol.gen'
import { execute, setPolicy, writeFile, type Backend, type CallOptions, type Changed, type ExecuteOptions, type FileContent } from './api'
import { Autosize } from './autosize'
import { Connection, placeIn, type Place, type Silence } from './connection'
import { failure, mismatch, type Failure, type SandboxEventMap, type SandboxState, type ShownDetail, type StateDetail } from './events'
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

// A program that renders pages on a server may import the library, too. There it has no
// elements.
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement)

export class BellglassSandbox extends Base {
  static readonly observedAttributes: readonly string[] = ['src', 'title', 'autosize', 'live-update']

  readonly #looks: Looks
  #connection: Connection | undefined
  // placed: the element has been inserted into a page. The parser sets attributes
  // before that.
  #placed = false
  // shown is the address of the current or last connection.
  #shown = ''
  #last: Place = { incarnation: '', id: 0 }
  #revision = 0
  #view = ''
  #path = ''
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

  // The token of the HTTP API, for a backend that needs one. It is only a property: an
  // attribute would be in the page's markup.
  get token(): string { return this.#token }
  set token(value: string) { this.#token = value }

  // The permissions to delegate to the frame, as in an iframe's allow attribute. The
  // sandbox gets those among them that it was granted when it was created.
  get allow(): string { return this.getAttribute('allow') ?? '' }
  set allow(value: string) { this.setAttribute('allow', value) }

  // How long the frame may take to load, in milliseconds.
  get timeout(): number {
    const value = Number(this.getAttribute('timeout') ?? NaN)
    return value > 0 ? value : 30_000
  }
  set timeout(value: number) { this.setAttribute('timeout', String(value)) }

  // Events up to this one are not dispatched, because the page knows them from the API.
  get afterEvent(): number {
    const value = Number(this.getAttribute('after-event') ?? NaN)
    return Number.isSafeInteger(value) && value > 0 ? value : 0
  }
  set afterEvent(value: number) { this.setAttribute('after-event', String(value)) }

  // Whether the element's height follows the document's.
  get autosize(): boolean { return this.hasAttribute('autosize') }
  set autosize(value: boolean) { this.toggleAttribute('autosize', value) }

  // Whether the view shows each change of the files by itself.
  get liveUpdate(): boolean { return this.hasAttribute('live-update') }
  set liveUpdate(value: boolean) { this.toggleAttribute('live-update', value) }

  get state(): SandboxState { return this.#now.state }
  get containment(): Containment { return this.#now.containment }
  get failure(): Failure | undefined { return this.#now.failure }
  // The newest revision that an event has named; 0 before the first.
  get revision(): number { return this.#revision }
  // The id of the view, as its events have it; '' before the outer frame has answered.
  get view(): string { return this.#view }
  // The path that the view is at, by its document's word; '' before the first document.
  get path(): string { return this.#path }

  // reload loads the view again where it is. The event ready follows.
  reload(): void {
    if (this.#connection === undefined || this.#gone) return this.#start()
    this.#viewReady = false
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
    // Properties that were set before the library was loaded hide the accessors of this
    // class.
    for (const name of ['src', 'api', 'allow', 'timeout', 'token', 'autosize', 'liveUpdate', 'afterEvent'] as const) {
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

  // Moved within its document (moveBefore), the frame survives, and so does the view.
  connectedMoveCallback(): void {}

  attributeChangedCallback(name: string): void {
    if (name === 'title') {
      if (this.#connection !== undefined) this.#connection.title = this.#title()
    } else if (name === 'autosize') {
      this.#follow()
    } else if (name === 'live-update') {
      this.#connection?.live(this.liveUpdate)
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
      this.#last = { incarnation: '', id: this.afterEvent }
      this.#revision = 0
    }
    if (src === '') return this.#become({ state: 'idle', containment: '', failure: undefined })
    if (url === '') return this.#fail(failure('bad-source'))
    // The outer frame listens to its parent window, and messages of this script come
    // from the window that loaded it.
    if (ownerDocument !== document) return this.#fail(failure('foreign-document'))
    this.#become({ state: 'booting', containment: '', failure: undefined })
    // A listener may have removed the element, or started it already.
    if (!this.#placed || this.#connection !== undefined || this.#shown !== url) return
    const connection: Connection = new Connection(this.#looks.stage, { url, title: this.#title(), allow: this.allow, after: this.#last, timeout: this.timeout }, {
      state: (message) => this.#connection === connection && this.#told(message),
      event: (event) => this.#connection === connection && this.#happened(event),
      silent: (code) => this.#connection === connection && this.#silent(code),
      mismatch: (protocol) => this.#connection === connection && this.#fail(mismatch(protocol)),
      taken: () => this.#connection === connection && this.#taken(),
      sized: (height) => this.#connection === connection && this.#autosize?.told(height),
      shown: ({ manner, path, revision }) => this.#connection === connection && this.#saw({ manner, path, revision }),
    })
    this.#connection = connection
    connection.live(this.liveUpdate)
    this.#follow()
  }

  #stop(): void {
    this.#connection?.close()
    this.#connection = undefined
    this.#follow()
    this.#view = ''
    this.#path = ''
    this.#everConnected = false
    this.#viewReady = false
    this.#gone = false
  }

  // follow makes the element follow the document's height. Another call forgets what
  // the previous one has seen.
  #follow(): void {
    this.#autosize?.stop()
    const on = this.autosize && this.#connection !== undefined
    this.#autosize = on ? new Autosize((height) => this.#looks.resize(height), (height) => {
      console.warn(`Bellglass: autosize has stopped at ${height} px, because the height of the document in the sandbox changes with the element's, or never settles. Give the document a height that does not depend on its viewport (100vh, 100%), or remove autosize and set a height. reload() follows it again.`, this)
    }) : undefined
    this.#connection?.measure(on)
    if (!on) this.#looks.resize(undefined)
  }

  // address returns src as a URL, or "" if that cannot be shown.
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

  #told({ incarnation, view, state, containment, connected, code, text, advice }: StateMessage): void {
    const { id } = this.#last
    this.#last = placeIn(incarnation, this.#last)
    if (this.#last.id !== id) this.#revision = 0
    this.#view = view
    this.#everConnected ||= connected
    // Whatever the view still shows, there is nothing to reconnect to.
    if (this.#gone) return
    if (code === 'sandbox-gone') return this.#end(text, advice)
    if (state === 'failed') return this.#fail({ kind: 'failure', code: code ?? 'worker-refused', text: text ?? '', advice: advice ?? '' })
    this.#become({ state: this.#everConnected && !connected ? 'disconnected' : state, containment, failure: undefined }, state === 'ready')
  }

  #saw(detail: ShownDetail): void {
    this.#path = detail.path
    // After reload(), only the next document counts: the one before may still change its height.
    if (detail.manner === 'document' && !this.#viewReady) this.#follow()
    this.#tell('shown', detail)
  }

  #silent(code: Silence): void {
    this.#fail(failure(code))
  }

  // The connection has removed the frame. The next start creates another.
  #taken(): void {
    this.#stop()
    this.#fail(failure('focus-taken'))
  }

  #end(text?: string, advice?: string): void {
    this.#gone = true
    const own = failure('sandbox-gone')
    this.#fail({ ...own, text: text ?? own.text, advice: advice ?? own.advice })
  }

  // The message that says why nothing runs has the height that the page gives.
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
    // Each event is dispatched only if the listeners of the one before have not changed
    // the state.
    if (this.#now === next && shown) this.#tell('ready', next)
    if (this.#now === next && next.failure !== undefined && before.failure?.code !== next.failure.code) this.#tell('error', next.failure)
  }

  #tell<K extends keyof SandboxEventMap>(type: K, detail: SandboxEventMap[K]['detail']): void {
    this.dispatchEvent(new CustomEvent(type, { detail }))
  }
}
