// A pop-up after a click, in a browsing context group of its own.
// @alone: a pop-up
// @gesture: click
export default async (t) => {
  addEventListener('click', () => open(t.http('open'), '_blank', 'noopener,noreferrer'), { once: true })
  await t.gesture('click')
}
