// A pop-up after a click.
// @alone: a pop-up
// @gesture: click
export default async (t) => {
  addEventListener('click', () => open(t.http('open')), { once: true })
  await t.gesture('click')
}
