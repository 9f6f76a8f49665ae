// The WebSocket of an empty frame.
import { opened } from './peer.shared.js'

export default (t) => {
  const blank = document.body.appendChild(document.createElement('iframe')).contentWindow
  return opened(new blank.WebSocket(t.ws('blank')))
}
