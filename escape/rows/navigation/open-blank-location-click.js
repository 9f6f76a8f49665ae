// An empty pop-up after a click, which is navigated when it is there.
// @alone: a pop-up
// @gesture: click
export default async (t) => {
  addEventListener('click', () => {
    const blank = open('about:blank')
    blank.location = t.http('open')
  }, { once: true })
  await t.gesture('click')
}
