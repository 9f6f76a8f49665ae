// open() with the target _self.
// @leaves: the view goes to the canary
export default (t) => {
  open(t.http('open'), '_self')
}
