// The shape of a float by an image, which is fetched with CORS.
export default (t) => {
  const box = document.createElement('div')
  box.style.cssText = `float: left; width: 9px; height: 9px; shape-outside: url(${t.http('shape.png')})`
  document.body.append(box)
}
