// A click on a link to an https address.
// @leaves: the view goes to the canary
// @gesture: click
export default async (t) => {
  const link = document.createElement('a')
  link.href = t.https('click')
  link.textContent = 'Link'
  link.style = 'position: fixed; inset: 0'
  document.body.append(link)
  await t.gesture('click')
}
