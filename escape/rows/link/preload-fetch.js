// Data that is preloaded for a fetch that never comes.
export default async (t) => {
  const link = document.createElement('link')
  const done = t.settled(link)
  link.rel = 'preload'
  link.as = 'fetch'
  link.crossOrigin = 'anonymous'
  link.href = t.http('preload.json')
  document.head.append(link)
  await done
}
