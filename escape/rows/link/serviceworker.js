// A service worker that is registered by a link.
// @control: none, no browser registers by a link today
export default (t) => {
  const link = document.createElement('link')
  link.rel = 'serviceworker'
  link.setAttribute('scope', '/')
  link.href = t.http('sw.js')
  document.head.append(link)
}
