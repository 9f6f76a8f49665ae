// The window of Document Picture-in-Picture, after a click.
// @alone: a window
// @gesture: click
// @control: none, it opens only for a top-level page
export default async (t) => {
  const asked = new Promise((resolve) => addEventListener('click', () => resolve(documentPictureInPicture.requestWindow()), { once: true, capture: true }))
  await t.gesture('click')
  const inner = await asked
  await inner.fetch(t.http('picture'), { mode: 'no-cors' })
}
