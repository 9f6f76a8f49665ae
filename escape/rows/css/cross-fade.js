// A mixture of two images.
// @control: none in firefox, it has no cross-fade()
export default (t) => {
  const box = document.createElement('div')
  box.style.backgroundImage = `-webkit-cross-fade(url(${t.http('one.png')}), url(${t.http('two.png')}), 50%)`
  document.body.append(box)
}
