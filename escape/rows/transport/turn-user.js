// WebRTC with a TURN server whose user name and credential carry data.
// @alone: WebRTC
// @control: none in webkit, it has no WebRTC
import { offer } from './peer.shared.js'

export default (t) => offer({ iceServers: [{ ...t.turn('tcp'), username: 'secret', credential: 'secret' }, { ...t.turn('udp'), username: 'secret' }] })
