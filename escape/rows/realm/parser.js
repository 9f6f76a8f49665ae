// Elements that DOMParser and Document.parseHTMLUnsafe have made, images in a document without a window included.
export default async (t) => {
  const html = `<img src="${t.http('image.png')}"><link rel="stylesheet" href="${t.http('style.css')}">`
  const parts = [...new DOMParser().parseFromString(html, 'text/html').querySelectorAll('img, link')]
  if (Document.parseHTMLUnsafe) parts.push(...Document.parseHTMLUnsafe(html).querySelectorAll('img, link'))
  const all = parts.map((element) => t.settled(element))
  document.body.append(...parts)
  await Promise.all(all)
}
