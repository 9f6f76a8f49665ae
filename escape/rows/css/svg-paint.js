// The paint servers and markers of an SVG shape, in another document.
export default (t) => {
  const box = document.createElement('div')
  const server = (name) => `url(${t.http(`${name}.svg`)}#x)`
  box.innerHTML = `<svg><path d="M0 0h9v9" fill="${server('fill')}" stroke="${server('stroke')}" style="marker-end: ${server('marker')}; mask: ${server('mask')}"/></svg>`
  document.body.append(box)
}
