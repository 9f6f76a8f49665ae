// open() with the target _top after a click.
// @leaves: the tab goes to the canary
// @gesture: click
export default async (t) => {
  addEventListener('click', () => open(t.http('open'), '_top'), { once: true })
  await t.gesture('click')
}
