// WebRTC over a TURN server, by UDP.
// @alone: WebRTC
// @control: none in webkit, it has no WebRTC
import { offer } from './peer.shared.js'

export default (t) => offer({ iceServers: [t.turn('udp')] })
