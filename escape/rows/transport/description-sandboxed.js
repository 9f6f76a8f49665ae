// A sandboxed srcdoc frame, to which Chromium gives a process of its own.
// @alone: WebRTC
// @control: none in webkit, it has no WebRTC
import { source } from './peer-source.shared.js'

export default async (t) => {
  const told = t.message()
  await t.frame((frame) => {
    frame.sandbox = 'allow-scripts'
    frame.srcdoc = `<script>${source(t, "parent.postMessage('tried', '*')")}</script>`
  })
  await told
}
