// An SVG image that has no address until an animation sets it.
export default async (t) => {
  const box = document.createElement('div')
  box.innerHTML = `<svg><image width="9" height="9"><set attributeName="href" to="${t.http('animate.png')}"/></image></svg>`
  const done = t.settled(box.firstChild.firstChild)
  document.body.append(box)
  await done
}
