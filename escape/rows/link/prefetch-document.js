// A prefetch of a document, over TLS.
export default (t) => {
  const link = document.createElement('link')
  link.rel = 'prefetch'
  link.as = 'document'
  link.href = t.https('prefetch.html')
  document.head.append(link)
}
