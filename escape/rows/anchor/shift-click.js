// A click with the shift key, which opens a window whatever the sandbox of the frame says.
// @alone: a new window
// @gesture: shift-click
export default async (t) => {
  const link = document.createElement('a')
  link.href = t.http('shift-click')
  link.textContent = 'Link'
  link.style = 'position: fixed; inset: 0'
  document.body.append(link)
  await t.gesture('click')
}
