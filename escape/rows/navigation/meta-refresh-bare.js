// A meta refresh that has neither a separator nor "url=".
// @leaves: the view goes to the canary
export default (t) => {
  document.head.insertAdjacentHTML('beforeend', `<meta http-equiv="refresh" content="0 ${t.http('refresh')}">`)
}
