// An image that is redirected.
export default async (t) => {
  const img = new Image()
  const done = t.settled(img)
  img.src = t.redirect(t.http('img.png'))
  await done
}
