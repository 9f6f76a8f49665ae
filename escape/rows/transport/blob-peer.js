// WebRTC from a blob frame.
// @alone: WebRTC
// @control: none in webkit, it has no WebRTC
export default async (t) => {
  const tried = t.message(t.name)
  const html = `<script>(async () => {
    const peer = new RTCPeerConnection({ iceServers: [{ urls: '${t.stun}' }] })
    peer.createDataChannel('x')
    peer.onicecandidate = ({ candidate }) => candidate || parent.postMessage('${t.name}', '*')
    await peer.setLocalDescription(await peer.createOffer())
  })()</script>`
  await t.frame((frame) => { frame.src = URL.createObjectURL(new Blob([html], { type: 'text/html' })) })
  await tried
}
