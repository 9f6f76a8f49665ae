// open() with the target _parent.
// @leaves: the outer frame would go to the canary
// @control: none in chromium firefox, a frame may not navigate a cross-origin parent
export default (t) => {
  open(t.http('open'), '_parent')
}
