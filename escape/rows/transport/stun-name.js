// WebRTC with STUN servers whose names carry data.
// @alone: WebRTC
// @control: none in webkit, it has no WebRTC
import { gather } from './peer.shared.js'

export default (t) => gather({ iceServers: [1, 2, 3].map((i) => ({ urls: `stun:secret-${i}.${t.host}:${t.port}` })) })
