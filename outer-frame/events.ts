// The sandbox's events, from the server. The browser itself reconnects and asks
// for what came after the last event it had (HTML, section 9.2), except when the
// server has refused it: then this frame finds out why. When too many are open it
// tries again; a sandbox that is gone does not come back.
import { incarnationHeader, type Demand, type Event, type RunMessage } from '../protocol/protocol.gen'
import { data } from './data'
import { takeTurns } from './turns'

interface Listener {
  // length is that of the event as JSON.
  event(event: Event, length: number): void
  connected(value: boolean): void
  // demanded: what the policy demands now.
  demanded(demand: Demand): void
  // another: the server has no such sandbox any more, or it has been started anew and has
  // another with this id. See [incarnation].
  another(incarnation: string): void
  // asked: the server asks for an execution, or for its end.
  asked(message: RunMessage): void
  // busy: what was asked for is not done yet, and its end would come by the stream.
  busy(): boolean
}

const firstWait = 2_000 // milliseconds; each is twice the one before
const longestWait = 60_000

// incarnation asks the server for this very page, and so which sandbox it has with this
// id: data.incarnation is the one of this page, '' none. A server that does not answer,
// or with anything else, has said nothing of it.
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
      // There is nothing to come back to.
      over()
      listener.connected(false)
      listener.another('')
    }
  }
  // What ends with a turn is the stream, not the connection that is told of: its
  // next part is on its way.
  const over = takeTurns(follow, () => {
    source?.close()
    source = undefined
    clearTimeout(timer)
  }, () => listener.busy())
}
