// The sandbox's events, from the server. The browser itself reconnects and asks
// for what came after the last event it had (HTML, section 9.2).
import type { Event } from '../protocol/protocol.gen'
import { data } from './data'

interface Listener {
  event(event: Event): void
  connected(value: boolean): void
}

export function followEvents(listener: Listener): void {
  const source = new EventSource(data.events)
  source.onopen = () => listener.connected(true)
  source.onerror = () => listener.connected(false)
  source.onmessage = (message: MessageEvent<string>) => listener.event(JSON.parse(message.data) as Event)
}
