// The location of the whole tab, after a click.
// @leaves: the tab goes to the canary
// @gesture: click
export default async (t) => {
  addEventListener('click', () => { top.location = t.http('top') }, { once: true })
  await t.gesture('click')
}
