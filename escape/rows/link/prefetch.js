// A prefetch for a page to come.
export default (t) => {
  const link = document.createElement('link')
  link.rel = 'prefetch'
  link.href = t.http('prefetch.html')
  document.head.append(link)
}
