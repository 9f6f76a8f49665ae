// A worker whose frame is removed as soon as it has been asked for.
// @control: none, the worker ends with its document
import { dedicated } from './wait.shared.js'

export default (t) => {
  const frame = document.body.appendChild(document.createElement('iframe'))
  new frame.contentWindow.Worker(t.module(dedicated(t)))
  frame.remove()
}
