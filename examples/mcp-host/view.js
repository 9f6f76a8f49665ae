// One view of an MCP App: a frame of the sandbox proxy, and JSON-RPC with the app in
// it, as the MCP Apps specification (2026-01-26) defines it.

// The permissions of _meta.ui.permissions, and their names in an allow attribute.
const features = { camera: 'camera', microphone: 'microphone', geolocation: 'geolocation', clipboardWrite: 'clipboard-write' }

const height = { first: 420, least: 80, most: 1600 } // of the frame, in pixels

export class View {
  #app
  #host
  #frame = document.createElement('iframe')
  #proxy // the origin of the frame
  #calls = new Map() // requests that the app has still to answer, by id
  #lastId = 0
  #handedOver = false
  #granted // what the app was granted, which the proxy reports before any code of the app runs
  #initialized = Promise.withResolvers()
  #ended = new AbortController()

  // host answers the app's requests and receives its notifications: functions by
  // method. host.context() is what the app is told about the page.
  constructor(stage, proxy, app, host) {
    this.#app = app
    this.#host = host
    const address = new URL(proxy)
    this.#proxy = address.origin
    if (app.csp !== undefined) address.searchParams.set('csp', JSON.stringify(app.csp))
    this.#frame.title = 'App'
    this.#frame.sandbox = 'allow-scripts allow-same-origin allow-forms'
    this.#frame.allow = Object.keys(app.permissions ?? {}).filter((name) => Object.hasOwn(features, name)).map((name) => features[name]).join('; ')
    this.#frame.style.height = `${height.first}px`
    this.#frame.src = address
    addEventListener('message', (event) => this.#hear(event), { signal: this.#ended.signal })
    stage.append(this.#frame)
  }

  // The app may be told nothing before it has reported that it is ready.
  get initialized() { return this.#initialized.promise }

  get dimensions() { return { width: this.#frame.clientWidth, maxHeight: height.most } }

  notify(method, params) { this.#send({ method, params }) }

  request(method, params) {
    const id = ++this.#lastId
    const { promise, resolve, reject } = Promise.withResolvers()
    this.#calls.set(id, { resolve, reject })
    this.#send({ id, method, params })
    return promise
  }

  // close gives the app at most one second to save its work, and removes it.
  async close() {
    const late = new Promise((resolve) => setTimeout(resolve, 1000))
    const torn = this.#handedOver ? this.#initialized.promise.then(() => this.request('ui/resource-teardown', {})) : undefined
    await Promise.race([late, torn]).catch(() => {}) // An app need not know the method.
    this.#ended.abort()
    this.#frame.remove()
  }

  #send(message) { this.#frame.contentWindow?.postMessage({ jsonrpc: '2.0', ...message }, this.#proxy) }

  // Any window can post messages to this page. The app's come through the proxy, so
  // their source is this frame and their origin is the proxy's.
  #hear({ source, origin, data }) {
    if (source !== this.#frame.contentWindow || origin !== this.#proxy || data?.jsonrpc !== '2.0') return
    if (typeof data.method !== 'string') this.#settle(data)
    else if (data.id === undefined) this.#notified(data.method, data.params ?? {})
    else void this.#answer(data.id, data.method, data.params ?? {})
  }

  #settle({ id, result, error }) {
    const call = this.#calls.get(id)
    this.#calls.delete(id)
    if (error) call?.reject(new Error(error.message))
    else call?.resolve(result)
  }

  #notified(method, params) {
    switch (method) {
      case 'ui/notifications/sandbox-proxy-ready':
        if (!this.#handedOver) this.notify('ui/notifications/sandbox-resource-ready', this.#app)
        this.#handedOver = true
        return
      case 'notifications/message':
        if (params.logger !== 'bellglass' || !params.data?.sandbox) break
        this.#granted ??= params.data.sandbox // which the host shows in words
        return
      case 'ui/notifications/initialized':
        return this.#initialized.resolve()
      case 'ui/notifications/size-changed':
        if (Number.isFinite(params.height)) this.#frame.style.height = `${Math.min(Math.max(params.height, height.least), height.most)}px`
        return
    }
    if (Object.hasOwn(this.#host.notifications, method)) this.#host.notifications[method](params)
  }

  async #answer(id, method, params) {
    try {
      if (method === 'ui/initialize') return this.#send({ id, result: this.#initialize() })
      if (method === 'ping') return this.#send({ id, result: {} })
      if (!Object.hasOwn(this.#host.requests, method)) throw Object.assign(new Error(`This host has no method ${method}.`), { code: -32601 })
      this.#send({ id, result: await this.#host.requests[method](params) })
    } catch ({ code, message }) {
      this.#send({ id, error: { code: code ?? -32603, message } })
    }
  }

  #initialize() {
    return {
      protocolVersion: '2026-01-26',
      hostInfo: { name: 'bellglass-mcp-host', title: 'MCP host', version: '1.0.0' },
      hostCapabilities: { openLinks: {}, serverTools: {}, serverResources: {}, logging: {}, message: { text: {} }, sandbox: this.#granted },
      hostContext: { ...this.#host.context(), containerDimensions: this.dimensions },
    }
  }
}
