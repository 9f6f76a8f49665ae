// A pop-up after a click, to an address that holds a password: browsers that refuse it in a frame take it in a tab.
// @alone: a pop-up
// @gesture: click
export default async (t) => {
  addEventListener('click', () => open(t.http('open').replace('//', '//secret:word@')), { once: true })
  await t.gesture('click')
}
