// The image of a border.
export default (t) => {
  const box = document.createElement('div')
  box.style.border = '10px solid'
  box.style.borderImageSource = `url(${t.http('border.png')})`
  document.body.append(box)
}
