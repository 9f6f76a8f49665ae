// The constructor of a blank frame.
// @alone: WebRTC
// @control: none in webkit, it has no WebRTC
import { candidate, pair } from './peer.shared.js'

export default async (t) => {
  const frame = document.body.appendChild(document.createElement('iframe'))
  await pair((sdp) => `${sdp}a=${candidate(t.address, t.port)}\r\n`, [], frame.contentWindow.RTCPeerConnection)
}
