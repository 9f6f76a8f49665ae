// An object element that is redirected.
export default async (t) => {
  const object = document.createElement('object')
  const done = t.settled(object)
  object.data = t.redirect(t.http('object.svg'))
  document.body.append(object)
  await done
}
