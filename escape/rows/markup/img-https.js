// An image over TLS.
export default async (t) => {
  const img = new Image()
  const done = t.settled(img)
  img.src = t.https('img.png')
  await done
}
