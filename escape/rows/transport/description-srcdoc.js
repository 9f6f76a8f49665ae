// The constructor of a srcdoc frame.
// @alone: WebRTC
// @control: none in webkit, it has no WebRTC
import { candidate, pair } from './peer.shared.js'

export default async (t) => {
  const frame = await t.frame((frame) => { frame.srcdoc = '<p>' })
  await pair((sdp) => `${sdp}a=${candidate(t.address, t.port)}\r\n`, [], frame.contentWindow.RTCPeerConnection)
}
