// An object element with a document.
export default async (t) => {
  const object = document.createElement('object')
  const done = t.settled(object)
  object.type = 'text/html'
  object.data = t.http('object.html')
  document.body.append(object)
  await done
}
