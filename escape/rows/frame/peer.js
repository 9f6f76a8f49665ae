// WebRTC from a frame with a page of the sandbox.
// @alone: Chromium ends the renderer where Connection-Allowlist holds, since the frame's first window has no MdnsResponder
// @control: none in webkit, it has no WebRTC
export default async (t) => {
  const frame = document.createElement('iframe')
  const loaded = new Promise((resolve) => { frame.onload = resolve })
  frame.src = t.file('post.inner.html')
  document.body.append(frame)
  await loaded
  const peer = new frame.contentWindow.RTCPeerConnection({ iceServers: [{ urls: t.stun }] })
  peer.createDataChannel('x')
  const gathered = new Promise((resolve) => { peer.onicecandidate = ({ candidate }) => candidate || resolve() })
  await peer.setLocalDescription(await peer.createOffer())
  await gathered
}
