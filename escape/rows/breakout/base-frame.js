// Base-tag hijacking of our own boot page: its relative addresses, in a nested frame that has not run yet.
export default async (t) => {
  const frame = document.createElement('iframe')
  const loaded = new Promise((resolve) => { frame.onload = resolve })
  frame.src = '/.bellglass/boot'
  document.body.append(frame)
  await loaded
  const inner = frame.contentDocument
  const base = inner.createElement('base')
  base.href = t.http('')
  inner.head.append(base)
  const image = inner.createElement('img')
  const done = t.settled(image)
  image.src = 'image.png'
  inner.body.append(image)
  await done
}
