// The pointer is pressed on a link in an empty frame, which the page has put there, and the browser connects ahead of the click.
// @alone: its frame fills the view
// @gesture: down
export default async (t) => {
  const frame = await t.frame((frame) => {
    frame.style = 'position: fixed; inset: 0; width: 100%; height: 100%; border: 0'
  })
  const link = frame.contentDocument.createElement('a')
  link.href = t.http('down')
  link.textContent = 'Link'
  link.style = 'position: fixed; inset: 0'
  frame.contentDocument.body.append(link)
  const felt = new Promise((resolve) => link.addEventListener('pointerdown', () => setTimeout(resolve), { once: true }))
  t.gesture()
  await felt
}
