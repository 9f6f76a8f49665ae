// Elements of a document that XMLHttpRequest has parsed, which no rewriting of scripts or markup sees.
export default async (t) => {
  const request = new XMLHttpRequest()
  const html = `<img src="${t.http('image.png')}"><iframe src="${t.http('frame')}"></iframe>`
  request.open('GET', URL.createObjectURL(new Blob([html], { type: 'text/html' })))
  request.responseType = 'document'
  await new Promise((resolve) => {
    request.onloadend = resolve
    request.send()
  })
  const parts = [...request.response.body.children]
  const all = parts.map((element) => t.settled(element))
  document.body.append(...parts)
  await Promise.all(all)
}
