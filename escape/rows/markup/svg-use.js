// A use element that refers to another document.
// @control: none in chromium, the other document must be of the same origin
export default (t) => {
  const box = document.createElement('div')
  box.innerHTML = `<svg><use href="${t.http('use.svg')}#x"/><use xlink:href="${t.http('xlink.svg')}#x"/><textPath href="${t.http('text.svg')}#x"/><linearGradient href="${t.http('gradient.svg')}#x"/></svg>`
  document.body.append(box)
}
