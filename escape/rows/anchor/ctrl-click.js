// A click with the control key, which opens a tab whatever the sandbox of the frame says.
// @alone: a new tab
// @gesture: ctrl-click
export default async (t) => {
  const link = document.createElement('a')
  link.href = t.http('ctrl-click')
  link.textContent = 'Link'
  link.style = 'position: fixed; inset: 0'
  document.body.append(link)
  await t.gesture('click')
}
