// location.assign().
// @leaves: the view goes to the canary
export default (t) => location.assign(t.http('assign'))
