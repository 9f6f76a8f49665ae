// A click with the control key on a link in a data: frame, whose origin is opaque.
// @alone: a new tab
// @gesture: ctrl-click
export default async (t) => {
  const html = `<a href="${t.http('ctrl')}" style="position: fixed; inset: 0">Link</a><script>onclick = () => parent.postMessage('felt', '*')</script>`
  const felt = t.message('felt')
  await t.frame((frame) => {
    frame.style = 'position: fixed; inset: 0; width: 100%; height: 100%; border: 0'
    frame.src = `data:text/html,${encodeURIComponent(html)}`
  })
  t.gesture()
  await felt
}
