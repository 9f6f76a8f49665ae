// An SVG document of an allowed host, as an image, with addresses in it.
// @control: none, an SVG document that is used as an image loads nothing
export default async (t) => {
  const body = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><style>@import url(${t.http('svg.css')});</style><image href="${t.http('svg.png')}"/><script href="${t.http('svg.js')}"/></svg>`
  const img = new Image()
  const done = t.settled(img)
  img.src = t.allowed(`answer?${new URLSearchParams({ type: 'image/svg+xml', body })}`)
  await done
}
