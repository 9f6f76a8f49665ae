// A WebSocket over TLS.
import { opened } from './peer.shared.js'

export default (t) => opened(new WebSocket(t.wss('socket')))
