// An address that holds a user name and a password, and with them data.
// @leaves: the view goes to the canary
export default (t) => {
  location.href = t.http('credentials').replace('//', '//secret:word@')
}
