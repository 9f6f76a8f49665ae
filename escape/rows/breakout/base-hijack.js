// Base-tag hijacking: relative addresses of the page are made the canary's.
// @alone: a base element
export default async (t) => {
  const base = document.createElement('base')
  base.href = t.http('')
  document.head.append(base)
  const image = new Image()
  const loaded = t.settled(image)
  image.src = 'image.png'
  await Promise.allSettled([fetch('fetch', { mode: 'no-cors' }), loaded])
}
