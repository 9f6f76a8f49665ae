// An image that was made by DOMParser, where it does not load, and is then adopted.
export default async (t) => {
  const parsed = new DOMParser().parseFromString(`<img src="${t.http('parsed.png')}">`, 'text/html')
  const img = document.adoptNode(parsed.images[0])
  const done = t.settled(img)
  document.body.append(img)
  await done
}
