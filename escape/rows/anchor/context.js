// The context menu of a link.
// @alone: its link fills the view
// @gesture: context
export default async (t) => {
  const link = document.createElement('a')
  link.href = t.http('context')
  link.textContent = 'Link'
  link.style = 'position: fixed; inset: 0'
  document.body.append(link)
  await t.gesture('contextmenu')
}
