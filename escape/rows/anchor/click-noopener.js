// A click on a link that opens a tab in a browsing context group of its own.
// @alone: a pop-up
// @gesture: click
export default async (t) => {
  const link = document.createElement('a')
  link.href = t.http('click-noopener')
  link.target = '_blank'
  link.rel = 'noopener noreferrer'
  link.textContent = 'Link'
  link.style = 'position: fixed; inset: 0'
  document.body.append(link)
  await t.gesture('click')
}
