// A sandboxed frame with the canary's address.
export default (t) => t.frame((frame) => {
  frame.setAttribute('sandbox', '')
  frame.src = t.http('sandboxed')
})
