// A picture, whose image comes from a source element.
export default async (t) => {
  const picture = document.createElement('picture')
  const img = document.createElement('img')
  const source = document.createElement('source')
  const done = t.settled(img)
  source.srcset = t.http('picture.png')
  picture.append(source, img)
  document.body.append(picture)
  await done
}
