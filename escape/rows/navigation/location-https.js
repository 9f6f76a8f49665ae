// The view goes to an https address, whose name is in the clear in the TLS hello even if no request follows.
// @leaves: the view goes to the canary
export default (t) => {
  location.href = t.https('location')
}
