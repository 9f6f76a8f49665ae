// An address that is a variable's value when it is parsed, and an image only where it is used.
export default (t) => {
  const box = document.createElement('div')
  box.style.setProperty('--secret', `url(${t.http('variable.png')})`)
  box.style.backgroundImage = 'var(--secret)'
  document.body.append(box)
}
