// WebRTC from a data: frame.
// @alone: WebRTC
// @control: none in webkit, it has no WebRTC
export default async (t) => {
  const tried = t.message(t.name)
  const refused = t.settled(new EventTarget())
  const html = `<script>(async () => {
    const peer = new RTCPeerConnection({ iceServers: [{ urls: '${t.stun}' }] })
    peer.createDataChannel('x')
    peer.onicecandidate = ({ candidate }) => candidate || parent.postMessage('${t.name}', '*')
    await peer.setLocalDescription(await peer.createOffer())
  })()</script>`
  await t.frame((frame) => { frame.src = `data:text/html,${encodeURIComponent(html)}` })
  await Promise.race([tried, refused])
}
