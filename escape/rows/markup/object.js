// An object element with an image.
export default async (t) => {
  const object = document.createElement('object')
  const done = t.settled(object)
  object.type = 'image/png'
  object.data = t.http('object.png')
  document.body.append(object)
  await done
}
