// A click with the middle button, which opens a tab whatever the sandbox of the frame says.
// @alone: a new tab
// @gesture: middle-click
export default async (t) => {
  const link = document.createElement('a')
  link.href = t.http('middle-click')
  link.textContent = 'Link'
  link.style = 'position: fixed; inset: 0'
  document.body.append(link)
  await t.gesture('auxclick')
}
