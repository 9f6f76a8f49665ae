// An image inside a filter of SVG.
export default (t) => {
  const box = document.createElement('div')
  box.innerHTML = `<svg><filter id="${t.name}-filter"><feImage href="${t.http('fe-image.png')}"/></filter><rect width="9" height="9" filter="url(#${t.name}-filter)"/></svg>`
  document.body.append(box)
}
