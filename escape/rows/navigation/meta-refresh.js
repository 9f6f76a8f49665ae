// A meta element that asks for a refresh.
// @leaves: the view goes to the canary
export default (t) => {
  const meta = document.createElement('meta')
  meta.httpEquiv = 'refresh'
  meta.content = `0;url=${t.http('refresh')}`
  document.head.append(meta)
}
