// The image of a list's marker.
export default (t) => {
  const item = document.createElement('li')
  item.style.listStyleImage = `url(${t.http('marker.png')})`
  document.body.append(item)
}
