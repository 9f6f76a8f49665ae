// The view goes to another page of its own origin, which tries again.
// @leaves: the view goes to a page of its own
export default (t) => {
  location.href = `${t.file('own-page.inner.html')}?${new URLSearchParams({ url: t.http('page'), socket: t.ws('page') })}`
}
