// Selectors that match the beginning of an attribute's value, and say so by a background.
export default (t) => {
  const style = document.createElement('style')
  style.textContent = Array.from('abcdefghijklmnopqrstuvwxyz', (letter) =>
    `#${t.name}-secret[value^="${letter}"] { background: url(${t.http(`begins-with-${letter}`)}) }`).join('\n')
  const input = document.createElement('input')
  input.id = `${t.name}-secret`
  input.setAttribute('value', 'secret')
  document.body.append(style, input)
}
