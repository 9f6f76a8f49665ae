// An image that is preloaded and never shown.
export default async (t) => {
  const link = document.createElement('link')
  const done = t.settled(link)
  link.rel = 'preload'
  link.as = 'image'
  link.href = t.http('preload.png')
  document.head.append(link)
  await done
}
