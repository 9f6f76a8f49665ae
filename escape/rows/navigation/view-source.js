// A view-source: address.
// @leaves: the view would show the source of the canary's page
// @control: none in chromium firefox, a page may not navigate to view-source:
export default (t) => {
  location.href = `view-source:${t.http('source')}`
}
