// The calls of a BTCP client in the page above. Each goes to the server, and its reply
// returns with the client's id. The page above is identified by its window and its
// origin. The view can send nothing here.
import type { Answered, Ask, Replied, Run } from '../protocol/protocol.gen'
import type { Code } from './btcp.gen'
import { data } from './data'

export class Tools {
  // The client's origin; set by its first message.
  private client: string | undefined
  // The ids of pending calls, by a name that this frame chooses: two calls of a client
  // may have the same id.
  private readonly calls = new Map<string, unknown>()
  // What tools have asked the client, by an id that this frame chooses.
  private readonly asks = new Map<string, { readonly call: string, readonly answer: (result: unknown, error: string) => void }>()

  constructor(private readonly path: string) {
    addEventListener('message', (event: MessageEvent<unknown>) => {
      if (event.source === null || event.source !== parent || parent === window || !data.embedders.includes(event.origin)) return
      this.client ??= event.origin
      if (event.origin !== this.client) return
      if (isCall(event.data)) void this.call(event.data)
      else this.answered(event.data)
    })
  }

  // busy reports whether a reply is due on the server's stream.
  busy(): boolean {
    return this.calls.size > 0
  }

  replied({ call, reply }: Replied): void {
    // Another frame may show the same sandbox, and have made the call.
    if (this.end(call)) this.post(reply)
  }

  // asked passes on a request of a call's code. The server has said what the code may
  // request. The code of another frame's call gets only an error.
  asked({ call, methods }: Run, { ask, method, params }: Ask, answer: (answer: Answered) => void): void {
    if (this.client === undefined || !this.calls.has(call) || !methods.includes(method)) {
      answer({ kind: 'answered', ask, result: null, error: `The tool was not granted ${method}.` })
      return
    }
    const id = crypto.randomUUID()
    this.asks.set(id, { call, answer: (result, error) => answer({ kind: 'answered', ask, result, error }) })
    this.post({ id, method, params })
  }

  // answered accepts {id, result} or {id, error: {message}}.
  private answered(message: unknown): void {
    if (typeof message !== 'object' || message === null || !('id' in message) || typeof message.id !== 'string') return
    const asked = this.asks.get(message.id)
    if (asked === undefined) return
    this.asks.delete(message.id)
    if ('error' in message && message.error !== undefined && message.error !== null) asked.answer(null, textOf(message.error))
    else asked.answer('result' in message ? message.result : undefined, '')
  }

  private end(call: string): boolean {
    for (const [id, asked] of this.asks) if (asked.call === call) this.asks.delete(id)
    return this.calls.delete(call)
  }

  // lost: no further reply will come.
  lost(): void {
    for (const name of this.calls.keys()) this.fail(name, 'SANDBOX_ERROR', 'The sandbox has lost its server.')
  }

  private async call(message: object): Promise<void> {
    const name = crypto.randomUUID()
    this.calls.set(name, 'id' in message ? message.id : null)
    let body: string
    try {
      body = JSON.stringify({ call: name, message })
    } catch {
      return this.fail(name, 'INVALID_PARAMS', 'The message cannot be written as JSON.')
    }
    try {
      const response = await fetch(this.path, { method: 'POST', body, redirect: 'error', headers: { 'Content-Type': 'application/json' } })
      if (response.ok) return
      const [text = ''] = (await response.text()).split('\n\n') // its last line is for programs
      this.fail(name, response.status < 500 && response.status !== 429 ? 'INVALID_PARAMS' : 'SANDBOX_ERROR', text)
    } catch {
      this.fail(name, 'SANDBOX_ERROR', 'The server does not answer. Check that Bellglass is running.')
    }
  }

  private fail(name: string, code: Code, message: string): void {
    const id = this.calls.get(name)
    if (this.end(name)) this.post({ id, type: 'error', error: { code, message } })
  }

  private post(reply: unknown): void {
    if (this.client !== undefined) parent.postMessage(reply, this.client)
  }
}

function isCall(message: unknown): message is object {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === 'execute'
}

function textOf(error: unknown): string {
  const text = typeof error === 'object' && error !== null && 'message' in error ? error.message : error
  return typeof text === 'string' && text !== '' ? text : 'The page around the tool reported an error.'
}
