// The location of the outer frame, after a click.
// @leaves: the outer frame would go to the canary
// @gesture: click
// @control: none in chromium firefox, a gesture does not let a frame navigate a cross-origin parent
export default async (t) => {
  addEventListener('click', () => { parent.location = t.http('parent') }, { once: true })
  await t.gesture('click')
}
