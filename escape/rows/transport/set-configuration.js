// A peer connection that is given its STUN server later, and starts ICE anew.
// @alone: WebRTC
// @control: none in webkit, it has no WebRTC
export default async (t) => {
  const peer = new RTCPeerConnection()
  peer.createDataChannel('x')
  peer.setConfiguration({ iceServers: [{ urls: t.stun }] })
  peer.restartIce()
  const gathered = new Promise((resolve) => { peer.onicecandidate = ({ candidate }) => candidate || resolve() })
  await peer.setLocalDescription()
  await gathered
}
