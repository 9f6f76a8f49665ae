// A peer at a name ending in .local, for which the browser asks the whole network.
// @alone: WebRTC
// @control: none, multicast goes to no canary
import { candidate, pair } from './peer.shared.js'

export default (t) => pair((sdp) => `${sdp}a=${candidate('2b0a1f4e-0000-4000-8000-000000000000.local', t.port)}\r\n`, [candidate('2b0a1f4e-0000-4000-8000-000000000001.local', t.port)])
