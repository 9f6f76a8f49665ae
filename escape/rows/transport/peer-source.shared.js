import { candidate, offer, pair } from './peer.shared.js'

// source is the text of a classic script that connects two peers of whatever realm it runs in, and then runs "tell".
export const source = (t, tell = '') => `const kept = []
${offer}
${pair}
pair((sdp) => sdp + 'a=${candidate(t.address, t.port)}\\r\\n').finally(() => { ${tell} })`
