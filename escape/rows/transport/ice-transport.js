// RTCIceTransport without a peer connection.
// @alone: WebRTC
// @control: none, no engine lets a page construct one
export default (t) => {
  const transport = new RTCIceTransport()
  transport.gather({ iceServers: [{ urls: t.stun }] })
  transport.addRemoteCandidate(new RTCIceCandidate({ candidate: `candidate:1 1 udp 1 ${t.host} ${t.port} typ host`, sdpMLineIndex: 0 }))
}
