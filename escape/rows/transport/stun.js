// WebRTC asks the canary for the page's address, by STUN.
// @alone: WebRTC
// @control: none in webkit, it has no WebRTC
import { gather } from './peer.shared.js'

export default (t) => gather({ iceServers: [{ urls: t.stun }] })
