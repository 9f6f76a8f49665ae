// The pointer comes to rest on a link in a blob: frame that asks for prefetching of names, and the browser looks its host up.
// @alone: its frame fills the view
// @gesture: hover
// @control: none in webkit, nothing is sent when a link is hovered
export default async (t) => {
  const html = `<meta http-equiv="x-dns-prefetch-control" content="on">
    <a href="${t.http('hover')}" style="position: fixed; inset: 0">Link</a>
    <script>onpointerover = () => parent.postMessage('felt', '*')</script>`
  const felt = t.message('felt')
  await t.frame((frame) => {
    frame.style = 'position: fixed; inset: 0; width: 100%; height: 100%; border: 0'
    frame.src = URL.createObjectURL(new Blob([html], { type: 'text/html' }))
  })
  t.gesture()
  await felt
}
