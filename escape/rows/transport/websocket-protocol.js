// A WebSocket that carries data in its subprotocol, query and name.
import { opened } from './peer.shared.js'

export default (t) => opened(new WebSocket(t.ws('socket?secret').replace(t.host, `secret.${t.host}`), ['secret']))
