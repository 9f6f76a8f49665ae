// An icon.
// @control: none, only the top page's icon is fetched
export default (t) => {
  const link = document.createElement('link')
  link.rel = 'shortcut icon'
  link.type = 'image/png'
  link.href = t.http('icon.png')
  document.head.append(link)
}
