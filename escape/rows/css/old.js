// What style sheets could run in old browsers: XBL, HTC and expressions.
// @control: none, no browser has any of it today
export default (t) => {
  const box = document.createElement('div')
  box.setAttribute('style', `-moz-binding: url(${t.http('binding.xml')}#x); behavior: url(${t.http('behavior.htc')}); width: expression(new Image().src = '${t.http('expression')}')`)
  document.body.append(box)
}
