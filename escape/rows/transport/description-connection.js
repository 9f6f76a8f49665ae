// Two peers of the page; the answer's own text has the canary in its connection and rtcp lines.
// @alone: WebRTC
// @control: none, ICE looks at candidates alone
import { pair } from './peer.shared.js'

export default (t) => pair((sdp) => `${sdp.replace(/^c=.*$/gm, `c=IN IP4 ${t.address}`).replace(/^(m=application) \d+/gm, `$1 ${t.port}`)}a=rtcp:${t.port} IN IP4 ${t.address}\r\n`)
