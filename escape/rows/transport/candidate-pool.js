// WebRTC that gathers candidates ahead, before there is an offer.
// @alone: WebRTC
// @control: none in webkit, it has no WebRTC
export default (t) => { globalThis.peer = new RTCPeerConnection({ iceServers: [{ urls: t.stun }], iceCandidatePoolSize: 4 }) }
