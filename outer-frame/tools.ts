// The calls of a BTCP client in the page above: each goes to the server, and its answer
// comes back with the id that the client gave it. The page above is known by its window and
// its origin, and the view can say nothing here.
import type { Replied } from '../protocol/protocol.gen'
import { data } from './data'

export class Tools {
  // The client's origin, from its first message on.
  private client: string | undefined
  // The ids of the calls without an answer, by a name of this frame's own: two calls of a
  // client may have the same id.
  private readonly calls = new Map<string, unknown>()

  constructor(private readonly path: string) {
    addEventListener('message', (event: MessageEvent<unknown>) => {
      if (event.source === null || event.source !== parent || parent === window || !data.embedders.includes(event.origin)) return
      this.client ??= event.origin
      if (event.origin !== this.client || !isCall(event.data)) return
      void this.call(event.data)
    })
  }

  // busy: an answer is to come by the server's stream.
  busy(): boolean {
    return this.calls.size > 0
  }

  replied({ call, reply }: Replied): void {
    // Another frame may show the same sandbox, and have made the call.
    if (this.calls.delete(call)) this.post(reply)
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

  private fail(name: string, code: string, message: string): void {
    const id = this.calls.get(name)
    if (this.calls.delete(name)) this.post({ id, type: 'error', error: { code, message } })
  }

  private post(reply: unknown): void {
    if (this.client !== undefined) parent.postMessage(reply, this.client)
  }
}

function isCall(message: unknown): message is object {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === 'execute'
}
