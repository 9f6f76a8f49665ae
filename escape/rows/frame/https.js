// A frame whose address is the canary's, over TLS.
export default (t) => t.frame((frame) => { frame.src = t.https('frame') })
