// A click whose handler clicks a link as if the control key were down.
// @alone: a new tab
// @gesture: click
export default async (t) => {
  const link = document.createElement('a')
  link.href = t.http('ctrl')
  document.body.append(link)
  addEventListener('click', () => link.dispatchEvent(new MouseEvent('click', { ctrlKey: true, metaKey: true, cancelable: true })), { once: true })
  await t.gesture('click')
}
