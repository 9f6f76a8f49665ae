// An image as the content of a pseudo-element.
export default (t) => {
  const style = document.createElement('style')
  style.textContent = `#${t.name}-box::before { content: url(${t.http('pseudo.png')}) }`
  const box = document.createElement('div')
  box.id = `${t.name}-box`
  document.body.append(style, box)
}
