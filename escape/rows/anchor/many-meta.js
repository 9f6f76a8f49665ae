// Many links in view, in a page that asks for prefetching of names.
// @alone: a meta element
// @control: none in chromium, it looks up only the links that are hovered
export default (t) => {
  document.head.insertAdjacentHTML('beforeend', '<meta http-equiv="x-dns-prefetch-control" content="on">')
  for (let i = 0; i < 30; i++) {
    const link = document.createElement('a')
    link.href = `http://n${i}.${t.host}:${t.port}/many`
    link.textContent = 'Link '
    document.body.append(link)
  }
}
