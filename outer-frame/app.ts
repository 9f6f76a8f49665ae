// The sandbox proxy of MCP Apps (specification 2026-01-26, "Sandbox proxy"). The page
// above is an MCP host, and the view runs an app. Their messages to each other pass
// through here unchanged. Only the host says what runs, never the view. Nor can the
// view say what was refused: this frame reports that.
import type { Event } from '../protocol/protocol.gen'
import { data, element } from './data'
import type { AppGrant } from './grant.gen'
import { readFrameMessage } from './messages'
import type { View } from './view'
import { violationOf, violationType } from './violation'

const proxyReady = 'ui/notifications/sandbox-proxy-ready'
const resourceReady = 'ui/notifications/sandbox-resource-ready'
// Messages whose method starts this way are for host and proxy alone.
const reserved = 'ui/notifications/sandbox-'
// A host that has sent no app within this time is told that it is missing.
const patience = 10_000 // milliseconds
// A view that has waited this long in its entry restarts, because the browser shows a tab
// with an unfinished document as loading.
const ahead = 5_000 // milliseconds

export class App {
  // The host's origin; set by its first message at the latest.
  private host: string | undefined
  private isReady = false
  // Whether the view opens the entry before the server has the app. Making the document
  // takes longer than the upload.
  private leads = false
  private controlled = false
  // When the view opened the entry in advance, or when that document began, in milliseconds
  // since 1970; undefined while the view waits in its boot page.
  private led: number | undefined
  // Resolves when the view waits in its boot page again.
  private resting = Promise.resolve()
  private rested = (): void => {}
  private rests: ReturnType<typeof setTimeout> | undefined
  // Messages for the host that wait until it knows what the app was granted.
  private untold: (() => void)[] | undefined
  private taken: boolean
  // The allow attribute of the current app.
  private allow: string | undefined
  private waiting: ReturnType<typeof setTimeout> | undefined

  // host is the origin of a host that has sent its app in advance, or ''. policy is the
  // Content-Security-Policy of that app's document.
  constructor(private readonly path: string, host: string, private policy: string, private readonly view: View) {
    this.taken = host !== ''
    if (this.taken) this.host = host
    // An unfinished document delays the load event of this page, and some hosts wait for that event.
    else whenLoaded(() => this.lead())
    addEventListener('message', (event: MessageEvent<unknown>) => {
      if (event.source === null) return
      if (event.source === parent && parent !== window) this.fromHost(event)
      else if (event.source === view.window) this.fromView(event)
    })
  }

  // ready is called when the view waits in its boot page. A view that restarts may have its
  // app already.
  ready(controlled: boolean): void {
    this.controlled = controlled
    this.rested()
    this.goes()
    if (this.taken) {
      if (this.allow !== undefined) this.view.open(this.allow)
    } else if (this.led === undefined) {
      this.ask()
    }
  }

  // greeted is called when a document of the view has begun. If that document waits for the
  // app, only the app is missing.
  greeted(): void {
    if (this.led === undefined || this.taken) return
    // A document that has reloaded itself does not begin the time again.
    if (this.rests === undefined) {
      this.led = Date.now()
      this.rests = setTimeout(() => this.rest(), ahead)
    }
    this.ask()
  }

  // ask tells the host that it can send an app. Only pages of the listed embedders can frame
  // this one (frame-ancestors), and the message has no secret.
  private ask(): void {
    if (this.isReady) return
    this.isReady = true
    element('booting').textContent = 'Waiting for the app, which the MCP host sends…'
    parent.postMessage({ jsonrpc: '2.0', method: proxyReady, params: {} }, '*')
    this.waiting = setTimeout(() => this.tell(`there is nothing to show, because no ${resourceReady} arrived within ${patience / 1_000} s`), patience)
  }

  private lead(): void {
    if (this.taken) return
    this.leads = true
    this.view.lead()
    this.goes()
  }

  private goes(): void {
    clearTimeout(this.rests)
    this.rests = undefined
    this.led = this.leads && this.controlled ? Date.now() : undefined
  }

  // rest restarts the view. It then waits in its boot page.
  private rest(): void {
    if (this.led === undefined) return
    this.led = undefined
    this.leads = false
    this.resting = new Promise((resolve) => (this.rested = resolve))
    this.view.stay()
  }

  private fromHost(event: MessageEvent<unknown>): void {
    if (!data.embedders.includes(event.origin)) {
      // The page above belongs to another embedder than the one that the app's origin
      // is for.
      if (methodOf(event.data) === resourceReady && !this.taken) this.refuse(`the origin of this app is for ${data.embedders.join(', ')}, but a page of ${event.origin} sent it`)
      return
    }
    this.host ??= event.origin
    if (event.origin !== this.host) return
    const method = methodOf(event.data)
    if (method === resourceReady) void this.take(event.data as { readonly params?: unknown })
    else if (method === undefined || !method.startsWith(reserved)) this.view.window?.postMessage(event.data, data.inner, [...event.ports])
  }

  private fromView(event: MessageEvent<unknown>): void {
    // Scripts of Bellglass in the view send messages to this frame in the same way.
    const { host } = this
    if (event.origin !== data.inner || host === undefined || !this.taken || readFrameMessage(event.data) !== undefined) return
    if (methodOf(event.data)?.startsWith(reserved) === true || textOf(event.data, 'type') === violationType) return
    const { data: message, ports } = event
    this.inTurn(() => parent.postMessage(message, host, [...ports]))
  }

  // inTurn sends something to the host, but not before the app's grants.
  private inTurn(say: () => void): void {
    if (this.untold === undefined) say()
    else this.untold.push(say)
  }

  // take sends the app to the server, which makes it the sandbox's only file.
  private async take({ params }: { readonly params?: unknown }): Promise<void> {
    if (this.taken) return this.tell('this sandbox has its app already; create a new frame for another one')
    if (!this.isReady) return this.tell(`${resourceReady} came before ${proxyReady} and was ignored; send it when the proxy is ready`)
    this.taken = true
    this.untold = []
    for (const timer of [this.waiting, this.rests]) clearTimeout(timer)
    this.leads = false
    // Browsers delay timers of hidden tabs.
    if (this.led !== undefined && Date.now() - this.led > ahead) this.rest()
    await this.resting
    let answer: AppGrant
    try {
      const response = await fetch(this.path, { method: 'POST', body: JSON.stringify(params ?? null), redirect: 'error', headers: { 'Content-Type': 'application/json' } })
      if (!response.ok) return this.refuse((await response.text()).split('\n\n')[0] ?? '') // its last line is for programs
      answer = (await response.json()) as AppGrant
    } catch {
      return this.refuse('the server does not answer; check that Bellglass is running')
    }
    const { allow, told, sandbox, policy, continues } = answer
    for (const text of told) this.tell(text)
    // Send this before any code of the app runs, so that the first such message is
    // ours.
    this.log('info', { sandbox })
    this.policy = policy
    this.allow = allow
    element('booting').textContent = 'Starting the app…'
    if (this.led === undefined) this.view.open(allow)
    else if (continues) this.view.follow()
    else this.view.replace(allow)
    const { untold = [] } = this
    this.untold = undefined
    for (const say of untold) say()
  }

  private refuse(text: string): void {
    this.untold = undefined
    this.view.end('app-refused', text, 'The MCP host has to send another resource, to a new frame.')
  }

  // failed tells the host why there is nothing to show.
  failed(text: string, advice: string): void {
    clearTimeout(this.waiting)
    this.tell(`${text} ${advice}`)
  }

  // heard tells the host about refusals that concern the app.
  heard(event: Event): void {
    this.inTurn(() => {
      const violation = violationOf(event, this.policy)
      if (violation !== undefined) this.say(violation)
    })
  }

  private tell(text: string): void {
    console.warn(`Bellglass: ${text}`)
    this.log('warning', text)
  }

  // log sends a log message to the host, as a view does (MCP, notifications/message).
  private log(level: 'info' | 'warning', data: unknown): void {
    this.say({ jsonrpc: '2.0', method: 'notifications/message', params: { level, logger: 'bellglass', data } })
  }

  // say posts to the host. Before the host's first message, '*' means any page of the
  // listed embedders, as in ready.
  private say(message: unknown): void {
    parent.postMessage(message, this.host ?? '*')
  }
}

function whenLoaded(then: () => void): void {
  if (document.readyState === 'complete') then()
  else addEventListener('load', then, { once: true })
}

function methodOf(message: unknown): string | undefined {
  return textOf(message, 'method')
}

function textOf(message: unknown, name: 'method' | 'type'): string | undefined {
  const value: unknown = typeof message === 'object' && message !== null ? Reflect.get(message, name) : undefined
  return typeof value === 'string' ? value : undefined
}
