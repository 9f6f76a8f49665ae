// A meta element that asks for a refresh only by an attribute that it gets when it is in the document.
// @leaves: the view goes to the canary
export default (t) => {
  const meta = document.createElement('meta')
  meta.httpEquiv = 'refresh'
  document.head.append(meta)
  meta.content = `0;url=${t.http('refresh')}`
}
