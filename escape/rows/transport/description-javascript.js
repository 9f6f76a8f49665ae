// A javascript: address replaces the view's document, which gets another window.
// @alone: WebRTC
// @leaves: the view is another document
// @control: none in webkit, it has no WebRTC
import { source } from './peer-source.shared.js'

export default (t) => {
  const page = `<script>${source(t)}</script>`
  location = `javascript:${encodeURIComponent(JSON.stringify(page))}`
}
