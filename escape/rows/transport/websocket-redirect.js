// A WebSocket to an allowed host that redirects to the canary.
// @control: none, a WebSocket does not follow redirects
import { opened } from './peer.shared.js'

export default (t) => opened(new WebSocket(t.redirect(t.ws('redirected')).replace('http', 'ws')))
