// A link is dragged.
// @alone: its link fills the view
// @gesture: drag
export default async (t) => {
  const link = document.createElement('a')
  link.href = t.http('drag')
  link.textContent = 'Link'
  link.style = 'position: fixed; inset: 0'
  document.body.append(link)
  await t.gesture('dragstart')
}
