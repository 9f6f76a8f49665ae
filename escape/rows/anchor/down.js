// The pointer is pressed on a link, and the browser connects ahead of the click.
// @alone: its link fills the view
// @gesture: down
export default async (t) => {
  const link = document.createElement('a')
  link.href = t.http('down')
  link.textContent = 'Link'
  link.style = 'position: fixed; inset: 0'
  document.body.append(link)
  await t.gesture('pointerdown')
}
