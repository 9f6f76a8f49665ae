// WebRTC over a TURN server, by TCP.
// @alone: WebRTC
// @control: none in webkit, it has no WebRTC
import { offer } from './peer.shared.js'

export default (t) => offer({ iceServers: [t.turn('tcp')] })
