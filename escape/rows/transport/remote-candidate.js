// Two peers of the page; the caller is told that the other one is at the canary's name and at its address.
// @alone: WebRTC
// @control: none in webkit, it has no WebRTC
import { candidate, pair } from './peer.shared.js'

export default (t) => pair((sdp) => sdp, [t.host, `secret.${t.host}`, t.address].map((at) => candidate(at, t.port)))
