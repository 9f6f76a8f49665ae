// A click on a link into the outer frame, which the browser may connect for before it finds that this is not allowed.
// @leaves: the outer frame would go to the canary
// @gesture: click
export default async (t) => {
  const link = document.createElement('a')
  link.href = t.http('click-parent')
  link.target = '_parent'
  link.textContent = 'Link'
  link.style = 'position: fixed; inset: 0'
  document.body.append(link)
  await t.gesture('click')
}
