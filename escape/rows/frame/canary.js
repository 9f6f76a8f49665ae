// A frame whose address is the canary's.
export default (t) => t.frame((frame) => { frame.src = t.http('frame') })
