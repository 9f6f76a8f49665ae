// An image-set(), which chooses among images.
export default (t) => {
  const box = document.createElement('div')
  box.style.backgroundImage = `image-set("${t.http('set.png')}" 1x, "${t.http('set-2.png')}" 2x)`
  document.body.append(box)
}
