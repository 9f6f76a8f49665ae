// A pop-up after a click, in a window of its own.
// @alone: a pop-up
// @gesture: click
export default async (t) => {
  addEventListener('click', () => open(t.http('open'), t.name, 'popup,width=200,height=200'), { once: true })
  await t.gesture('click')
}
