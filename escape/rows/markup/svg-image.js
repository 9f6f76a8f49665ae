// An image element of SVG, by href and by xlink:href.
export default async (t) => {
  const box = document.createElement('div')
  box.innerHTML = `<svg><image href="${t.http('href.png')}"/><image xlink:href="${t.http('xlink.png')}"/></svg>`
  const done = t.settled(box.firstChild.firstChild)
  document.body.append(box)
  await done
}
