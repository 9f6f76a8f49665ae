// An image that is preloaded by a set of sources, without an href.
export default async (t) => {
  const link = document.createElement('link')
  const done = t.settled(link)
  link.rel = 'preload'
  link.as = 'image'
  link.imageSizes = '100vw'
  link.imageSrcset = `${t.http('small.png')} 100w, ${t.http('large.png')} 4000w`
  document.head.append(link)
  await done
}
