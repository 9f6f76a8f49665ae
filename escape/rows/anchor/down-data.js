// The pointer is pressed on a link in a data: frame, whose origin is opaque, and the browser connects ahead of the click.
// @alone: its frame fills the view
// @gesture: down
export default async (t) => {
  const html = `<a href="${t.http('down')}" style="position: fixed; inset: 0">Link</a><script>onpointerdown = () => parent.postMessage('felt', '*')</script>`
  const felt = t.message('felt')
  await t.frame((frame) => {
    frame.style = 'position: fixed; inset: 0; width: 100%; height: 100%; border: 0'
    frame.src = `data:text/html,${encodeURIComponent(html)}`
  })
  t.gesture()
  await felt
}
