// A font that is preloaded and never used.
export default async (t) => {
  const link = document.createElement('link')
  const done = t.settled(link)
  link.rel = 'preload'
  link.as = 'font'
  link.crossOrigin = 'anonymous'
  link.href = t.http('preload.woff2')
  document.head.append(link)
  await done
}
