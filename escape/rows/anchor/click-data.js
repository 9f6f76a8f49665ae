// A click on a link in a data: frame, whose origin is opaque.
// @alone: its frame fills the view
// @gesture: click
export default async (t) => {
  const html = `<a href="${t.http('click')}" style="position: fixed; inset: 0">Link</a>`
  const frame = await t.frame((frame) => {
    frame.style = 'position: fixed; inset: 0; width: 100%; height: 100%; border: 0'
    frame.src = `data:text/html,${encodeURIComponent(html)}`
  })
  const gone = t.settled(frame)
  t.gesture()
  await gone
}
