// A background image that is redirected.
export default (t) => {
  const box = document.createElement('div')
  box.style.background = `url(${t.redirect(t.http('background.png'))})`
  document.body.append(box)
}
