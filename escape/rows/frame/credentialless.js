// A credentialless frame with the canary's address; engines without the attribute load it as any other.
export default (t) => t.frame((frame) => {
  frame.credentialless = true
  frame.src = t.http('credentialless')
})
