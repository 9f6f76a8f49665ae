// A click with the control key on a link to an https address.
// @alone: a new tab
// @gesture: ctrl-click
export default async (t) => {
  const link = document.createElement('a')
  link.href = t.https('ctrl')
  link.textContent = 'Link'
  link.style = 'position: fixed; inset: 0'
  document.body.append(link)
  await t.gesture('click')
}
