// open() with the name of the view's own frame as the target.
// @leaves: the view goes to the canary
export default (t) => {
  name = t.name
  open(t.http('open'), t.name)
}
