// A font for each letter: which fonts are fetched tells which letters the text has.
export default (t) => {
  const style = document.createElement('style')
  style.textContent = Array.from('abcdefghijklmnopqrstuvwxyz', (letter) => `@font-face {
    font-family: ${t.name}-letters; src: url(${t.http(`font-${letter}`)}); unicode-range: U+${letter.charCodeAt().toString(16)} }`).join('\n')
  const text = document.createElement('p')
  text.style.fontFamily = `${t.name}-letters`
  text.textContent = 'secret'
  document.body.append(style, text)
}
