// Two peers of the page that may speak to each other; one of them also has the canary for its STUN server.
// @alone: WebRTC
// @control: none in webkit, it has no WebRTC
import { offer } from './peer.shared.js'

export default async (t) => {
  const callee = new RTCPeerConnection()
  const { peer: caller } = await offer({ iceServers: [{ urls: t.stun }] })
  caller.onicecandidate = ({ candidate }) => callee.addIceCandidate(candidate)
  callee.onicecandidate = ({ candidate }) => caller.addIceCandidate(candidate)
  await callee.setRemoteDescription(caller.localDescription)
  await callee.setLocalDescription(await callee.createAnswer())
  await caller.setRemoteDescription(callee.localDescription)
}
