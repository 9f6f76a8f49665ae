// A web application manifest that is redirected.
// @control: none, only the top page's manifest is fetched
export default (t) => {
  const link = document.createElement('link')
  link.rel = 'manifest'
  link.href = t.redirect(t.http('app.webmanifest'))
  document.head.append(link)
}
