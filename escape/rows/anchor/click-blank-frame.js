// A click on a link in an empty frame, which the page has put there.
// @alone: its frame fills the view
// @gesture: click
export default async (t) => {
  const frame = await t.frame((frame) => {
    frame.style = 'position: fixed; inset: 0; width: 100%; height: 100%; border: 0'
  })
  const link = frame.contentDocument.createElement('a')
  link.href = t.http('click')
  link.textContent = 'Link'
  link.style = 'position: fixed; inset: 0'
  frame.contentDocument.body.append(link)
  const gone = t.settled(frame)
  t.gesture()
  await gone
}
