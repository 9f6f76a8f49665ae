// WebRTC from a srcdoc frame.
// @alone: WebRTC
// @control: none in webkit, it has no WebRTC
import { gather } from './peer.shared.js'

export default async (t) => {
  const frame = document.createElement('iframe')
  const loaded = new Promise((resolve) => { frame.onload = resolve })
  frame.srcdoc = '<p>'
  document.body.append(frame)
  await loaded
  await gather({ iceServers: [{ urls: t.stun }] }, frame.contentWindow.RTCPeerConnection)
}
