// Elements of a document without a window, made by DOMImplementation, that the page then adopts.
export default async (t) => {
  const other = document.implementation.createHTMLDocument('')
  other.body.innerHTML = `<img src="${t.http('image.png')}"><iframe src="${t.http('frame')}"></iframe>`
  const parts = [...other.body.children]
  const all = parts.map((element) => t.settled(element))
  document.body.append(...parts)
  await Promise.all(all)
}
