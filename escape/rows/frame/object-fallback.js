// An object without an answer, whose fallback content is an image of the canary.
export default async (t) => {
  const object = document.createElement('object')
  object.data = '/missing.html'
  const image = document.createElement('img')
  const done = t.settled(image)
  image.src = t.http('fallback')
  object.append(image)
  document.body.append(object)
  await done
}
