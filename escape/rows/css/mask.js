// A mask, which is fetched with CORS.
export default (t) => {
  const box = document.createElement('div')
  box.style.webkitMaskImage = box.style.maskImage = `url(${t.http('mask.png')})`
  box.textContent = 'mask'
  document.body.append(box)
}
