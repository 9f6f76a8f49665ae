// The constructor of a frame's document, which the page takes as soon as that is there.
// @alone: WebRTC
// @control: none in webkit, it has no WebRTC
import { candidate, pair } from './peer.shared.js'

export default async (t) => {
  const frame = await t.frame((frame) => { frame.src = t.file('description.frame.html') })
  await pair((sdp) => `${sdp}a=${candidate(t.address, t.port)}\r\n`, [], frame.contentWindow.RTCPeerConnection)
}
