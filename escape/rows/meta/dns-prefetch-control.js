// Anchors whose names are looked up ahead once a meta element has switched that on.
// @alone: it holds for the whole page
// @control: none in chromium, it looks up nothing in advance on its own
export default (t) => {
  const meta = document.createElement('meta')
  meta.httpEquiv = 'x-dns-prefetch-control'
  meta.content = 'on'
  document.head.append(meta)
  for (let i = 0; i < 20; i++) {
    const anchor = document.createElement('a')
    anchor.href = `http://secret-${i}.${t.host}:${t.port}/`
    anchor.textContent = 'link'
    document.body.append(anchor)
  }
}
