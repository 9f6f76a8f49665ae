// The image of a cursor.
export default (t) => {
  const box = document.createElement('div')
  box.style.cursor = `url(${t.http('cursor.png')}), auto`
  box.textContent = 'cursor'
  document.body.append(box)
}
