// Two peers of the page; the answer's own text names the canary as a candidate, by a name that carries data.
// @alone: WebRTC
// @control: none in webkit, it has no WebRTC
import { candidate, pair } from './peer.shared.js'

export default (t) => pair((sdp) => `${sdp}a=${candidate(`secret.${t.host}`, t.port)}\r\n`)
