// A peer that is offered a connection, by a description that names the canary as a candidate.
// @alone: WebRTC
// @control: none in webkit, it has no WebRTC
import { candidate, offer } from './peer.shared.js'

export default async (t) => {
  const { peer: caller } = await offer()
  globalThis.callee = new RTCPeerConnection()
  await callee.setRemoteDescription({ type: 'offer', sdp: `${caller.localDescription.sdp}a=${candidate(t.address, t.port)}\r\n` })
  await callee.setLocalDescription(await callee.createAnswer())
}
