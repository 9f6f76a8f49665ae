// A click on a link in a srcdoc frame.
// @alone: its frame fills the view
// @gesture: click
export default async (t) => {
  const html = `<a href="${t.http('click')}" style="position: fixed; inset: 0">Link</a>`
  const frame = await t.frame((frame) => {
    frame.style = 'position: fixed; inset: 0; width: 100%; height: 100%; border: 0'
    frame.srcdoc = html
  })
  const gone = t.settled(frame)
  t.gesture()
  await gone
}
