// The view goes to an allowed host, which redirects to the canary.
// @leaves: the view goes to the canary by the allowed host
export default (t) => {
  location.href = t.redirect(t.http('redirect'))
}
