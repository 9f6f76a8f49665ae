// A font of a style sheet, used by some text.
export default (t) => {
  const style = document.createElement('style')
  style.textContent = `@font-face { font-family: ${t.name}-font; src: url(${t.http('font.woff2')}) }`
  const text = document.createElement('p')
  text.style.fontFamily = `${t.name}-font`
  text.textContent = 'font'
  document.body.append(style, text)
}
