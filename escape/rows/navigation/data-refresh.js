// The view becomes a data: document that has a meta refresh.
// @leaves: the view goes to the canary by a data: address
export default (t) => {
  location.href = `data:text/html,${encodeURIComponent(`<meta http-equiv="refresh" content="0;url=${t.http('refresh')}">`)}`
}
