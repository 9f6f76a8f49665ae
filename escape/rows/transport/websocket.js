// A WebSocket, which no service worker sees.
import { opened } from './peer.shared.js'

export default (t) => opened(new WebSocket(t.ws('socket')))
