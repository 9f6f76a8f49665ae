// The pointer is pressed on a link in a blob: frame that asks for prefetching of names, and the browser connects ahead of the click.
// @alone: its frame fills the view
// @gesture: down
export default async (t) => {
  const html = `<meta http-equiv="x-dns-prefetch-control" content="on">
    <a href="${t.http('down')}" style="position: fixed; inset: 0">Link</a>
    <script>onpointerdown = () => parent.postMessage('felt', '*')</script>`
  const felt = t.message('felt')
  await t.frame((frame) => {
    frame.style = 'position: fixed; inset: 0; width: 100%; height: 100%; border: 0'
    frame.src = URL.createObjectURL(new Blob([html], { type: 'text/html' }))
  })
  t.gesture()
  await felt
}
