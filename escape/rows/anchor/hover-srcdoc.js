// The pointer comes to rest on a link in a srcdoc frame, and the browser looks its host up.
// @alone: its frame fills the view
// @gesture: hover
// @control: none in webkit, nothing is sent when a link is hovered
export default async (t) => {
  const html = `<a href="${t.http('hover')}" style="position: fixed; inset: 0">Link</a><script>onpointerover = () => parent.postMessage('felt', '*')</script>`
  const felt = t.message('felt')
  await t.frame((frame) => {
    frame.style = 'position: fixed; inset: 0; width: 100%; height: 100%; border: 0'
    frame.srcdoc = html
  })
  t.gesture()
  await felt
}
