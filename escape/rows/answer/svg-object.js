// An SVG document of an allowed host, in an object element.
export default async (t) => {
  const body = `<svg xmlns="http://www.w3.org/2000/svg"><image href="${t.http('svg.png')}"/></svg>`
  const object = document.createElement('object')
  const done = t.settled(object)
  object.type = 'image/svg+xml'
  object.data = t.allowed(`answer?${new URLSearchParams({ type: 'image/svg+xml', body })}`)
  document.body.append(object)
  await done
}
