// A click on a link into the whole tab.
// @leaves: the tab goes to the canary
// @gesture: click
export default async (t) => {
  const link = document.createElement('a')
  link.href = t.http('click-top')
  link.target = '_top'
  link.textContent = 'Link'
  link.style = 'position: fixed; inset: 0'
  document.body.append(link)
  await t.gesture('click')
}
