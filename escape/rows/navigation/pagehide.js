// A navigation out of a pagehide handler.
// @leaves: the view goes to a page of its own, or to the canary
// @control: none in chromium, it ignores navigations of a document that is being left
export default (t) => {
  addEventListener('pagehide', () => { location.href = t.http('pagehide') })
  location.href = t.file('pagehide.inner.html')
}
