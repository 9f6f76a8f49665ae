// WebRTC by its prefixed name.
// @alone: WebRTC
// @control: none in firefox webkit, only Chromium has the name
import { gather } from './peer.shared.js'

export default (t) => gather({ iceServers: [{ urls: t.stun }] }, webkitRTCPeerConnection)
