// HTML with an image, copied after a click: the browser must not load it while it sanitizes the text.
// @gesture: click
// @control: none, a frame of another site may not write, and the cleaning loads nothing
export default async (t) => {
  await t.gesture()
  const type = 'text/html'
  const html = `<img src="${t.http('clipboard.png')}"><style>@import url(${t.http('clipboard.css')});</style>`
  await navigator.clipboard.write([new ClipboardItem({ [type]: new Blob([html], { type }) })])
}
