// An HTML import.
// @control: none, no browser has HTML imports today
export default (t) => {
  const link = document.createElement('link')
  link.rel = 'import'
  link.href = t.http('import.html')
  document.head.append(link)
}
