// A sandboxed frame that shows a blob.
// @alone: WebRTC
// @control: none in webkit, it has no WebRTC
import { source } from './peer-source.shared.js'

export default async (t) => {
  const told = t.message()
  const page = `<script>${source(t, "parent.postMessage('tried', '*')")}</script>`
  await t.frame((frame) => {
    frame.sandbox = 'allow-scripts'
    frame.src = URL.createObjectURL(new Blob([page], { type: 'text/html' }))
  })
  await told
}
