// WebRTC that offers sound and pictures, without asking for a device.
// @alone: WebRTC
// @control: none in webkit, it has no WebRTC
export default async (t) => {
  const peer = new RTCPeerConnection({ iceServers: [{ urls: t.stun }] })
  peer.addTransceiver('audio')
  peer.addTransceiver(document.createElement('canvas').captureStream().getTracks()[0])
  const gathered = new Promise((resolve) => { peer.onicecandidate = ({ candidate }) => candidate || resolve() })
  await peer.setLocalDescription(await peer.createOffer())
  await gathered
}
