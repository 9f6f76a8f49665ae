// An image.
export default async (t) => {
  const img = new Image()
  const done = t.settled(img)
  img.src = t.http('img.png?secret=1')
  await done
}
