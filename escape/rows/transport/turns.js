// WebRTC over a TURN server, by TLS, and by a relay alone.
// @alone: WebRTC
// @control: none in webkit, it has no WebRTC
import { offer } from './peer.shared.js'

export default (t) => offer({ iceServers: [t.turns], iceTransportPolicy: 'relay' })
