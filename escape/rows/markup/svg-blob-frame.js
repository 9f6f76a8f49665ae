// A frame with an SVG document of a blob.
export default async (t) => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg"><image href="${t.http('image.png')}"/><style>@import url(${t.http('svg.css')});</style></svg>`
  await t.frame((frame) => { frame.src = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' })) })
}
