// The pointer comes to rest on a link in an empty frame, which the page has put there, and the browser looks its host up.
// @alone: its frame fills the view
// @gesture: hover
// @control: none in webkit, nothing is sent when a link is hovered
export default async (t) => {
  const frame = await t.frame((frame) => {
    frame.style = 'position: fixed; inset: 0; width: 100%; height: 100%; border: 0'
  })
  const link = frame.contentDocument.createElement('a')
  link.href = t.http('hover')
  link.textContent = 'Link'
  link.style = 'position: fixed; inset: 0'
  frame.contentDocument.body.append(link)
  const felt = new Promise((resolve) => link.addEventListener('pointerover', () => setTimeout(resolve), { once: true }))
  t.gesture()
  await felt
}
