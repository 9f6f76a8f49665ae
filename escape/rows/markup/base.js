// A base element, by which an image's relative address means the canary.
// @alone: relative addresses of the page mean something else then
export default async (t) => {
  const base = document.createElement('base')
  base.href = t.http('base/')
  document.head.append(base)
  const img = new Image()
  const done = t.settled(img)
  img.src = 'relative.png'
  await done
}
