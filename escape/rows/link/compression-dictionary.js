// A compression dictionary for requests to come.
export default (t) => {
  const link = document.createElement('link')
  link.rel = 'compression-dictionary'
  link.href = t.http('dictionary')
  document.head.append(link)
}
