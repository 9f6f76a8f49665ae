// location.replace(), which leaves no history entry behind.
// @leaves: the view goes to the canary
export default (t) => location.replace(t.http('replace'))
