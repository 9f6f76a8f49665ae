// A prefetch for a page to come. Firefox cancels it if another document
// of the process begins to load, so a failed attempt is made again once.
export default (t) => {
  const link = document.createElement('link')
  link.rel = 'prefetch'
  link.href = t.http('prefetch.html')
  link.onerror = () => link.after(link.cloneNode())
  document.head.append(link)
}
