// An element that an image replaces, by the property content.
export default (t) => {
  const box = document.createElement('div')
  box.style.content = `url(${t.http('content.png')})`
  document.body.append(box)
}
