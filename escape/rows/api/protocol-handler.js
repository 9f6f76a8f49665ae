// The canary as the handler of a scheme, and an address with that scheme.
// @control: none, a handler must be of the page's own origin
export default (t) => {
  try {
    navigator.registerProtocolHandler('web+secret', t.http('handle?%s'))
  } finally {
    const frame = document.createElement('iframe')
    frame.src = 'web+secret:x'
    document.body.append(frame)
  }
}
