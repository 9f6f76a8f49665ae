// The events of a sandbox, across lost connections.
import { APIError } from './error'
import type { Event } from './schemas.gen'

const firstWait = 500 // milliseconds before a lost connection is opened again; the wait doubles each time
const longestWait = 8_000 // milliseconds

// followed yields the events of the streams that open returns. After a lost connection it
// continues after the last event, so no event is missing or comes twice. It returns when the
// sandbox or the server has ended.
export async function* followed(open: (after: number) => Promise<Response>, after: number, signal: AbortSignal | undefined): AsyncGenerator<Event, void, void> {
  let wait = firstWait
  for (let connected = false; ;) {
    try {
      const response = await open(after)
      connected = true
      for await (const { id, data } of messages(response)) {
        after = id ?? after
        wait = firstWait
        if (data === '') continue
        const event = JSON.parse(data) as Event
        yield event
        if (event.type === 'lifecycle' && (event.step === 'removed' || event.step === 'ending')) return
      }
    } catch (error) {
      signal?.throwIfAborted()
      if (!connected) throw error
      if (error instanceof APIError && error.status === 404) return // the sandbox has ended meanwhile
      if (error instanceof APIError && error.status >= 400 && error.status < 500 && error.status !== 429) throw error
      if (error instanceof SyntaxError) throw new APIError({ code: 'bad-answer', status: 200, detail: `An event of the stream is not JSON: ${error.message}. Check that api is the address of Bellglass’s HTTP API.` }, { cause: error })
    }
    await pause(wait, signal)
    wait = Math.min(2 * wait, longestWait)
  }
}

interface Message {
  readonly id: number | undefined
  readonly data: string
}

// messages reads server-sent events (HTML, section 9.2). A message with a name is not an event
// of the log. The connection ends when the caller stops reading.
async function* messages(response: Response): AsyncGenerator<Message, void, void> {
  if (response.body === null) return
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  try {
    let rest = ''
    let id: number | undefined
    let data: string[] = []
    let named = false
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const lines = (rest + value).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines.map((each) => each.replace(/\r$/, ''))) {
        const [, field = '', content = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? []
        if (line === '') {
          if (!named && (id !== undefined || data.length > 0)) yield { id, data: data.join('\n') }
          id = undefined
          data = []
          named = false
        } else if (field === 'id' && /^\d+$/.test(content)) id = Number(content)
        else if (field === 'data') data.push(content)
        else if (field === 'event') named = true
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

function pause(time: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const done = (): void => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }
    const timer = setTimeout(done, time)
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', stop, { once: true })
  })
}
