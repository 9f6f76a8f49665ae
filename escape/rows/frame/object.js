// An object element that is given an HTML page of the canary.
export default async (t) => {
  const object = document.createElement('object')
  object.type = 'text/html'
  object.data = t.http('object.html')
  const done = t.settled(object)
  document.body.append(object)
  await done
}
