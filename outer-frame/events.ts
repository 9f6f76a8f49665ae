// The sandbox's events, from the server. The browser reconnects by itself and asks for
// the events after the last one (HTML, section 9.2), unless the server has refused the
// stream. Then this frame finds out why. If too many streams are open, it retries. A
// sandbox that is gone does not come back.
import { incarnationHeader, type Demand, type Event, type RunMessage } from '../protocol/protocol.gen'
import { data } from './data'
import { takeTurns } from './slots'

interface Listener {
  // length is the length of the event as JSON.
  event(event: Event, length: number): void
  connected(value: boolean): void
  // demanded receives what the policy demands now.
  demanded(demand: Demand): void
  // another: the server no longer has this sandbox, or was restarted and has another
  // one with this id. See [incarnation].
  another(incarnation: string): void
  // asked: the server requests an execution, or its end.
  asked(message: RunMessage): void
  // busy: an execution is in progress, and its end would arrive on the stream.
  busy(): boolean
}

const firstWait = 2_000 // milliseconds; the wait doubles each time
const longestWait = 60_000

// incarnation requests this page again, to learn which sandbox the server has with this
// id. data.incarnation means the same sandbox, '' means none. If the server does not
// answer as expected, the result is this page's own incarnation.
export async function incarnation(): Promise<string> {
  try {
    const response = await fetch(location.pathname, { cache: 'no-store' })
    if (response.status === 404 && (await response.text()).endsWith('Bellglass: unknown-sandbox\n')) return ''
    return response.headers.get(incarnationHeader) ?? data.incarnation
  } catch {
    return data.incarnation
  }
}

export function followEvents(listener: Listener): void {
  let last = ''
  let wait = firstWait
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const follow = (): void => {
    const stream = source = new EventSource(last === '' ? data.events : `${data.events}&after=${last}`)
    stream.onopen = () => {
      wait = firstWait
      listener.connected(true)
    }
    stream.onerror = () => {
      listener.connected(false)
      if (stream.readyState !== EventSource.CLOSED) return
      void incarnation().then((now) => {
        if (now !== data.incarnation) {
          over()
          listener.another(now)
          return
        }
        if (stream !== source) return // the turn has ended meanwhile
        timer = setTimeout(follow, wait)
        wait = Math.min(2 * wait, longestWait)
      })
    }
    stream.addEventListener('demand', (message: MessageEvent<string>) => listener.demanded(JSON.parse(message.data) as Demand))
    stream.addEventListener('run', (message: MessageEvent<string>) => listener.asked(JSON.parse(message.data) as RunMessage))
    stream.onmessage = (message: MessageEvent<string>) => {
      last = message.lastEventId
      const event = JSON.parse(message.data) as Event
      listener.event(event, message.data.length)
      if (event.type !== 'lifecycle' || event.step !== 'removed') return
      // There is nothing to reconnect to.
      over()
      listener.connected(false)
      listener.another('')
    }
  }
  // The end of a turn closes the stream, but the embedder stays connected: the next
  // turn continues it.
  const over = takeTurns(follow, () => {
    source?.close()
    source = undefined
    clearTimeout(timer)
  }, () => listener.busy())
}
