// A WebSocket with an http: address, which newer engines take for ws:.
import { opened } from './peer.shared.js'

export default (t) => opened(new WebSocket(t.http('socket')))
