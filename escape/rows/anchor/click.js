// A click on a link.
// @leaves: the view goes to the canary
// @gesture: click
export default async (t) => {
  const link = document.createElement('a')
  link.href = t.http('click')
  link.textContent = 'Link'
  link.style = 'position: fixed; inset: 0'
  document.body.append(link)
  await t.gesture('click')
}
