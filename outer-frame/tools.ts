// The calls of a BTCP client in the page above: each goes to the server, and its answer
// comes back with the id that the client gave it. The page above is known by its window and
// its origin, and the view can say nothing here.
import type { Answered, Ask, Replied, Run } from '../protocol/protocol.gen'
import type { Code } from './btcp.gen'
import { data } from './data'

export class Tools {
  // The client's origin, from its first message on.
  private client: string | undefined
  // The ids of the calls without an answer, by a name of this frame's own: two calls of a
  // client may have the same id.
  private readonly calls = new Map<string, unknown>()
  // What tools have asked the client, by an id of this frame's own.
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

  // busy: an answer is to come by the server's stream.
  busy(): boolean {
    return this.calls.size > 0
  }

  replied({ call, reply }: Replied): void {
    // Another frame may show the same sandbox, and have made the call.
    if (this.end(call)) this.post(reply)
  }

  // asked passes on what the code of a call may ask. The server has said what that is, and
  // the code of another frame's call is told nothing.
  asked({ call, methods }: Run, { ask, method, params }: Ask, answer: (answer: Answered) => void): void {
    if (this.client === undefined || !this.calls.has(call) || !methods.includes(method)) {
      answer({ kind: 'answered', ask, result: null, error: `The tool was not granted ${method}.` })
      return
    }
    const id = crypto.randomUUID()
    this.asks.set(id, { call, answer: (result, error) => answer({ kind: 'answered', ask, result, error }) })
    this.post({ id, method, params })
  }

  // answered takes {id, result} or {id, error: {message}}.
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

  // lost: no answer comes any more.
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
  return typeof text === 'string' && text !== '' ? text : 'The page around the tool reports an error.'
}
