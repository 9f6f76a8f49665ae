// A page that is to be rendered ahead.
// @control: none, a frame renders nothing ahead
export default (t) => {
  const link = document.createElement('link')
  link.rel = 'prerender'
  link.href = t.http('prerender.html')
  document.head.append(link)
}
