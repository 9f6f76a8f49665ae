// The pointer comes to rest on a link to an https address, and the browser looks its host up.
// @alone: its link fills the view
// @gesture: hover
// @control: none in webkit, nothing is sent when a link is hovered
export default async (t) => {
  const link = document.createElement('a')
  link.href = t.https('hover')
  link.textContent = 'Link'
  link.style = 'position: fixed; inset: 0'
  document.body.append(link)
  await t.gesture('pointerover')
}
