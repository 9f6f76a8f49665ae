// A style sheet that is constructed by script and adopted.
export default (t) => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(`#${t.name}-box { background: url(${t.http('constructed.png')}) }`)
  const box = document.createElement('div')
  box.id = `${t.name}-box`
  document.body.append(box)
  document.adoptedStyleSheets.push(sheet)
}
