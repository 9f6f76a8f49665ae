// An empty pop-up after a click, whose realm the page then uses.
// @alone: a pop-up
// @gesture: click
export default async (t) => {
  const opened = new Promise((resolve) => addEventListener('click', () => resolve(open('about:blank')), { once: true }))
  t.gesture('click')
  const blank = await opened
  if (!blank) throw new Error('no pop-up')
  const done = t.message()
  blank.document.write(`<script>${t.everything('opener.postMessage(`tried`, `*`)')}</script>`)
  await done
}
