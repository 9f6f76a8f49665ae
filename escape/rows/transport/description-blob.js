// The constructor of a frame that shows a blob.
// @alone: WebRTC
// @control: none in webkit, it has no WebRTC
import { candidate, pair } from './peer.shared.js'

export default async (t) => {
  const frame = await t.frame((frame) => { frame.src = URL.createObjectURL(new Blob(['<!doctype html>'], { type: 'text/html' })) })
  await pair((sdp) => `${sdp}a=${candidate(t.address, t.port)}\r\n`, [], frame.contentWindow.RTCPeerConnection)
}
