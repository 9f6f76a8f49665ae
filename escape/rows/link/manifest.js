// A web application manifest, fetched with credentials.
// @control: none, only the top page's manifest is fetched
export default (t) => {
  const link = document.createElement('link')
  link.rel = 'manifest'
  link.crossOrigin = 'use-credentials'
  link.href = t.http('app.webmanifest')
  document.head.append(link)
}
