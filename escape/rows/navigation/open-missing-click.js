// A pop-up after a click to a path of our own that has no file, whose realm the page then uses.
// @alone: a pop-up
// @gesture: click
export default async (t) => {
  const opened = new Promise((resolve) => addEventListener('click', () => resolve(open(`/${t.name}/missing`)), { once: true }))
  t.gesture('click')
  const missing = await opened
  if (!missing) throw new Error('no pop-up')
  await new Promise((resolve) => missing.addEventListener('load', resolve, { once: true }))
  await missing.fetch(t.http('missing'), { mode: 'no-cors' }).catch(() => {})
}
