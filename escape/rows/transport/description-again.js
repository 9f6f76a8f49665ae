// The constructor of a frame that has navigated a second time.
// @alone: WebRTC
// @control: none in webkit, it has no WebRTC
import { candidate, pair } from './peer.shared.js'

export default async (t) => {
  const frame = await t.frame((frame) => { frame.src = t.file('description.frame.html') })
  const again = new Promise((resolve) => { frame.onload = resolve })
  frame.contentWindow.location = `${t.file('description.frame.html')}?again`
  await again
  await pair((sdp) => `${sdp}a=${candidate(t.address, t.port)}\r\n`, [], frame.contentWindow.RTCPeerConnection)
}
