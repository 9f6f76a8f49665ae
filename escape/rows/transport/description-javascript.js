// A document that the view's own address, a script, answers with: its window is another.
// @alone: WebRTC
// @leaves: the view is another document
// @control: none in webkit, it has no WebRTC
import { source } from './peer-source.shared.js'

export default (t) => {
  const page = `<script>${source(t)}</script>`
  location = `javascript:${encodeURIComponent(JSON.stringify(page))}`
}
