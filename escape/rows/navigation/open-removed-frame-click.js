// A pop-up after a click by the open() of a frame that has been removed.
// @alone: a pop-up
// @gesture: click
// @control: none in chromium, a window without a browsing context opens nothing
export default async (t) => {
  const frame = await t.frame()
  const inner = frame.contentWindow
  const open = inner.open
  frame.remove()
  addEventListener('click', () => open.call(inner, t.http('open')), { once: true })
  await t.gesture('click')
}
