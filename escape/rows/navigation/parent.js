// The location of the outer frame.
// @leaves: the outer frame would go to the canary
// @control: none in chromium firefox, a frame may not navigate a cross-origin parent
export default (t) => {
  parent.location = t.http('parent')
}
