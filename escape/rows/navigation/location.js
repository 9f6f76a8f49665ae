// The view sets its own location.
// @leaves: the view goes to the canary
export default (t) => {
  location.href = t.http('location')
}
