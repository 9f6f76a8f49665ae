// WebRTC from the realm of an about:blank frame.
// @alone: Chromium ends the renderer where Connection-Allowlist holds, since such a frame has no MdnsResponder
// @control: none in webkit, it has no WebRTC
export default async (t) => {
  const frame = document.body.appendChild(document.createElement('iframe'))
  const peer = new frame.contentWindow.RTCPeerConnection({ iceServers: [{ urls: t.stun }] })
  peer.createDataChannel('x')
  await peer.setLocalDescription(await peer.createOffer())
}
