// A link that is put in, taken out, changed and put in again.
export default (t) => {
  const link = document.createElement('link')
  link.rel = 'preconnect'
  link.href = t.http()
  document.head.append(link)
  link.remove()
  link.rel = 'prefetch'
  document.head.append(link)
  link.href = t.https()
  link.rel = 'preconnect'
}
