// Two redirects of an image, the first to the allowed host itself.
export default async (t) => {
  const img = new Image()
  const done = t.settled(img)
  img.src = t.redirect(t.redirect(t.http('chain.png')))
  await done
}
