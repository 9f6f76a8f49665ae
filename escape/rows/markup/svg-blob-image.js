// An image that is an SVG document of a blob, with addresses in it.
// @control: none, an SVG document that is used as an image loads nothing
export default async (t) => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><style>@import url(${t.http('svg.css')});</style>
    <image href="${t.http('image.png')}"/><foreignObject width="9" height="9"><img xmlns="http://www.w3.org/1999/xhtml" src="${t.http('foreign.png')}"/></foreignObject></svg>`
  const img = new Image()
  const done = t.settled(img)
  img.src = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
  await done
  document.createElement('canvas').getContext('2d').drawImage(img, 0, 0)
}
