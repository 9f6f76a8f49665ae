// A prefetch of a document, over TLS. Firefox cancels it if another document
// of the process begins to load, so a failed attempt is made again once.
export default (t) => {
  const link = document.createElement('link')
  link.rel = 'prefetch'
  link.as = 'document'
  link.href = t.https('prefetch.html')
  link.onerror = () => link.after(link.cloneNode())
  document.head.append(link)
}
