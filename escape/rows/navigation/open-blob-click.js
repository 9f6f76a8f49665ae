// A blob: document in a pop-up after a click. Nothing can be heard from it: some browsers give it no opener.
// @alone: a pop-up
// @gesture: click
export default async (t) => {
  const html = `<script>${t.everything('close()')}</script>`
  const url = URL.createObjectURL(new Blob([html], { type: 'text/html' }))
  addEventListener('click', () => open(url), { once: true })
  await t.gesture('click')
}
