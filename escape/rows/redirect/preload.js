// A preload that is redirected.
export default async (t) => {
  const link = document.createElement('link')
  const done = t.settled(link)
  link.rel = 'preload'
  link.as = 'script'
  link.href = t.redirect(t.http('preload.js'))
  document.head.append(link)
  await done
}
