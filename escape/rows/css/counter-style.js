// The symbols of a counter style, which may be images.
// @control: none, no browser takes images as symbols
export default (t) => {
  const style = document.createElement('style')
  style.textContent = `@counter-style ${t.name}-symbols { system: cyclic; symbols: url(${t.http('symbol.png')}) }`
  const item = document.createElement('li')
  item.style.listStyleType = `${t.name}-symbols`
  document.body.append(style, item)
}
