// Two peers of the page; the answer's own text names the canary as a candidate that listens for TCP.
// @alone: WebRTC
// @control: none in webkit, it has no WebRTC
import { candidate, pair } from './peer.shared.js'

export default (t) => pair((sdp) => `${sdp}a=${candidate(t.address, t.port, 'tcp', ' tcptype passive')}\r\n`)
