// A prefetch that is redirected.
export default (t) => {
  const link = document.createElement('link')
  link.rel = 'prefetch'
  link.href = t.redirect(t.http('prefetch.html'))
  document.head.append(link)
}
