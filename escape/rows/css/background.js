// A background image, in a style attribute.
export default (t) => {
  const box = document.createElement('div')
  box.style.background = `url(${t.http('background.png')})`
  document.body.append(box)
}
