// A click on a link that opens a tab.
// @alone: a pop-up
// @gesture: click
export default async (t) => {
  const link = document.createElement('a')
  link.href = t.http('click-blank')
  link.target = '_blank'
  link.textContent = 'Link'
  link.style = 'position: fixed; inset: 0'
  document.body.append(link)
  await t.gesture('click')
}
